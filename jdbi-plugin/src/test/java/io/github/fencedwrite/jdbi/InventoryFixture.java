package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.examples.servers.Postgres;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;

/** A fenced table of three rows, fresh, in a database that all tests of the JVM use one after the other. */
final class InventoryFixture implements AutoCloseable {

    private static final PostgresDatabase SHARED = Postgres.shared().newDatabase();

    final PostgresDatabase database = SHARED;
    final Jdbi jdbi = Jdbi.create(database.dataSource())
            .installPlugin(new SqlObjectPlugin())
            .installPlugin(new FencingPlugin());

    InventoryFixture() {
        jdbi.useHandle(handle -> {
            handle.execute("DROP SCHEMA public CASCADE");
            handle.execute("CREATE SCHEMA public");
            handle.execute(
                    "DO $$ BEGIN IF to_regclass('fencing.fence') IS NOT NULL THEN DELETE FROM fencing.fence; END IF; END $$");
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
        // the database is used again
    }
}
