package io.github.fencedwrite.examples.firststeps;

import io.github.fencedwrite.migrations.FencingMigrations;
import java.util.Arrays;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.postgresql.ds.PGSimpleDataSource;

/** The table that all programs here write to. An application does the same in its migrations. */
final class InventoryTable {

    private InventoryTable() {}

    /** Makes sure that the table is there with its token column, and with ten pieces of 4711. */
    static DataSource createIn(String jdbcUrl) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl(jdbcUrl);
        FencingMigrations.on(dataSource).install();
        Jdbi.create(dataSource).useHandle(handle -> {
            handle.execute("CREATE TABLE IF NOT EXISTS inventory (sku text PRIMARY KEY, stock integer NOT NULL)");
            handle.execute("CREATE TABLE IF NOT EXISTS sale (sku text NOT NULL, quantity integer NOT NULL)");
            handle.execute("SELECT fencing.protect('public.inventory')");
            handle.execute("INSERT INTO inventory (sku, stock) VALUES ('4711', 10) ON CONFLICT DO NOTHING");
        });
        return dataSource;
    }

    /** What follows the first argument. */
    static String[] nodes(String... args) {
        return Arrays.copyOfRange(args, 1, args.length);
    }
}
