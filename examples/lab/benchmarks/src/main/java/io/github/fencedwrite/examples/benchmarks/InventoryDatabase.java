package io.github.fencedwrite.examples.benchmarks;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.examples.servers.Postgres;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import io.github.fencedwrite.jdbi.FencingPlugin;
import io.github.fencedwrite.migrations.FencingMigrations;
import java.sql.Connection;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;

/**
 * A table of stock and one connection to it, on which both sides work in turn. Rows are taken one after the other, with room in
 * their pages, as in a table that is tuned for updates. Not thread safe.
 */
final class InventoryDatabase implements AutoCloseable {

    private static final int ROWS = 1_000;

    private final PostgresDatabase database;
    private final Connection connection;
    private final Jdbi jdbi;
    private long token;
    private int row;

    private InventoryDatabase(PostgresDatabase database, Connection connection) {
        this.database = database;
        this.connection = connection;
        this.jdbi = Jdbi.create(connection).installPlugin(new SqlObjectPlugin()).installPlugin(new FencingPlugin());
    }

    /** A database with the tables {@code inventory} and {@code other}, which are alike; both are protected. */
    static InventoryDatabase open(Stage stage) throws Exception {
        PostgresDatabase database = Postgres.shared().newDatabase();
        FencingMigrations.on(database.dataSource()).install();
        InventoryDatabase opened =
                stage.add(new InventoryDatabase(database, database.dataSource().getConnection()));
        opened.jdbi.useHandle(handle -> {
            for (String table : new String[] {"inventory", "other"}) {
                handle.execute("CREATE TABLE " + table + " (sku text PRIMARY KEY, stock integer NOT NULL,"
                        + " version bigint NOT NULL DEFAULT 0) WITH (fillfactor = 50)");
                handle.execute(
                        "INSERT INTO " + table + " SELECT i::text, 1000000 FROM generate_series(1, ?) AS i", ROWS);
                handle.execute("SELECT fencing.protect(?)", "public." + table);
                handle.execute("VACUUM ANALYZE " + table);
            }
        });
        return opened;
    }

    Jdbi jdbi() {
        return jdbi;
    }

    /** A token that is newer than all before it. */
    FencingToken nextToken() {
        return FencingToken.of(++token);
    }

    /** The key of the next row. */
    String nextSku() {
        row = row % ROWS + 1;
        return Integer.toString(row);
    }

    @Override
    public void close() throws Exception {
        connection.close();
        database.close();
    }
}
