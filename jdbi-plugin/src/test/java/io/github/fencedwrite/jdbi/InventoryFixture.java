package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.examples.servers.Postgres;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;

/** A fresh database with a fenced table of three rows. */
final class InventoryFixture implements AutoCloseable {

    final PostgresDatabase database = Postgres.shared().newDatabase();
    final Jdbi jdbi = Jdbi.create(database.dataSource())
            .installPlugin(new SqlObjectPlugin())
            .installPlugin(new FencingPlugin());

    InventoryFixture() {
        jdbi.useHandle(handle -> {
            handle.execute("CREATE TABLE inventory (sku text PRIMARY KEY, stock int NOT NULL, place text)");
            handle.execute("INSERT INTO inventory VALUES ('4711', 10, 'A'), ('4712', 20, 'A'), ('4713', 30, 'B')");
            handle.execute("ALTER TABLE inventory ADD COLUMN last_token bigint NOT NULL DEFAULT 0");
        });
    }

    int stock(String sku) {
        return jdbi.withHandle(handle -> handle.createQuery("SELECT stock FROM inventory WHERE sku = :sku")
                .bind("sku", sku)
                .mapTo(Integer.class)
                .one());
    }

    @Override
    public void close() {
        database.close();
    }
}
