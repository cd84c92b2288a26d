package io.github.fencedwrite.migrations;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** The Java snippets of the README; ReadmeIT checks that they are the same. */
final class ReadmeSnippets {

    private ReadmeSnippets() {}

    static void install(DataSource dataSource) {
        FencingMigrations.on(dataSource).install();
    }

    static void callback(DataSource dataSource) {
        Flyway.configure()
                .dataSource(dataSource)
                .callbacks(FencingFlyway.callback())
                .load()
                .migrate();
    }

    static void javaMigration() {
        Flyway.configure().javaMigrations(FencingFlyway.protect("7", "public.inventory", "public.order_line"));
    }

    static void verify(DataSource dataSource) {
        FencingMigrations.on(dataSource).verify();
    }

    static void repair(DataSource dataSource) {
        FencingMigrations.on(dataSource).repair();
    }
}
