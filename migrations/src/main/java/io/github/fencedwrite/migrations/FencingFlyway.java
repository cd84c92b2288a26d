package io.github.fencedwrite.migrations;

import io.github.fencedwrite.migrations.internal.InstallCallback;
import io.github.fencedwrite.migrations.internal.ProtectTables;
import java.util.List;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.migration.JavaMigration;

/**
 * What an application adds to its own Flyway configuration. Runs on Flyway 11.7 to 13; the only class of this package
 * that needs Flyway. Safe for use by many threads.
 */
public final class FencingFlyway {

    private FencingFlyway() {}

    /**
     * A callback that installs the schema {@code fencing} before the application's own migrations run, or brings it up to
     * date, as {@link FencingMigrations#install()} does. It uses Flyway's own connection, so that the pool need not be
     * larger than Flyway alone needs it.
     *
     * @return a callback for {@code Flyway.configure().callbacks(…)}
     */
    public static Callback callback() {
        return InstallCallback.create();
    }

    /**
     * A migration that protects tables with the token column {@code last_token}.
     *
     * @param version the migration's version in the application's history, for example {@code "7"}
     * @param tables names as {@code fencing.protect} takes them, at least one; they are part of the checksum, so that
     *     a later change of the list is noticed
     * @return a migration for {@code Flyway.configure().javaMigrations(…)}
     * @throws IllegalArgumentException if no table is given, or one twice
     */
    public static JavaMigration protect(String version, String... tables) {
        return protectColumn(version, "last_token", tables);
    }

    /**
     * As {@link #protect}, with a token column of another name: a row that is written under two locks needs one for each.
     *
     * @param version the migration's version in the application's history
     * @param column the name of the token column, 1 to 63 bytes
     * @param tables names as {@code fencing.protect} takes them, at least one
     * @return a migration for {@code Flyway.configure().javaMigrations(…)}
     * @throws IllegalArgumentException if no table is given, or one twice
     */
    public static JavaMigration protectColumn(String version, String column, String... tables) {
        return new ProtectTables(MigrationVersion.fromVersion(version), column, List.of(tables));
    }
}
