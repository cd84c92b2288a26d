package io.github.fencedwrite.examples.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.examples.servers.Postgres;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import io.github.fencedwrite.jdbi.FencingPlugin;
import io.github.fencedwrite.jdbi.StaleTokenException;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;

/** A database with ten pieces of 4711, once guarded by tokens and once by owner ids. */
final class Inventory implements AutoCloseable {

    private final PostgresDatabase database = Postgres.shared().newDatabase();
    final Jdbi jdbi = Jdbi.create(database.dataSource())
            .installPlugin(new SqlObjectPlugin())
            .installPlugin(new FencingPlugin());
    final Stock stock = jdbi.onDemand(Stock.class);

    Inventory() {
        jdbi.useHandle(handle -> handle.createScript("""
                        CREATE TABLE inventory (
                          sku text PRIMARY KEY, stock integer NOT NULL, last_token bigint NOT NULL DEFAULT 0);
                        CREATE TABLE owned_inventory (sku text PRIMARY KEY, stock integer NOT NULL, owner uuid);
                        INSERT INTO inventory (sku, stock) VALUES ('4711', 10);
                        INSERT INTO owned_inventory (sku, stock) VALUES ('4711', 10);
                        """).execute());
    }

    int stock(String table) {
        return jdbi.withHandle(handle -> handle.createQuery("SELECT stock FROM " + table + " WHERE sku = '4711'")
                .mapTo(Integer.class)
                .one());
    }

    /** What any source of tokens has to bring about: the holder that was paused is refused, the next one is not. */
    void refusesTheFirstOf(FencingToken paused, FencingToken next) {
        assertThat(stock.claim("4711", paused)).isEqualTo(10);
        assertThat(stock.claim("4711", next)).isEqualTo(10);
        stock.set("4711", 9, next);

        assertThatThrownBy(() -> stock.set("4711", 9, paused)).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> stock.claim("4711", paused)).isInstanceOf(StaleTokenException.class);
        assertThat(stock("inventory")).isEqualTo(9);
    }

    @Override
    public void close() {
        database.close();
    }
}
