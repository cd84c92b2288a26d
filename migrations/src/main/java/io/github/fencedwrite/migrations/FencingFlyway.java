package io.github.fencedwrite.migrations;

import io.github.fencedwrite.migrations.internal.InstallCallback;
import io.github.fencedwrite.migrations.internal.ProtectTables;
import java.time.Duration;
import java.util.List;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.migration.JavaMigration;

/**
 * What an application adds to its own Flyway configuration. Runs on Flyway 11.7 to 13; the only class of this package
 * that needs Flyway. Safe for use by many threads.
 */
public final class FencingFlyway {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private FencingFlyway() {}

    /**
     * A callback that installs the schema {@code fencing} before the application's own migrations run, or brings it up to
     * date, as {@link FencingMigrations#install()} does, in a transaction of its own on Flyway's connection. Flyway itself
     * needs a pool of three connections as soon as it has any callback, or of two with {@code transactional.lock} off; this
     * one adds none.
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
     * As {@link #protect(String, String...)}, with a token column of another name: a row that is written under two locks needs one for each.
     *
     * @param version the migration's version in the application's history
     * @param column the name of the token column, 1 to 63 bytes
     * @param tables names as {@code fencing.protect} takes them, at least one
     * @return a migration for {@code Flyway.configure().javaMigrations(…)}
     * @throws IllegalArgumentException if no table is given, or one twice
     */
    public static JavaMigration protectColumn(String version, String column, String... tables) {
        return protectColumn(version, column, PATIENCE, tables);
    }

    /**
     * As {@link #protectColumn(String, String, String...)}, for tables that are busy for longer.
     *
     * @param version the migration's version in the application's history
     * @param column the name of the token column, 1 to 63 bytes
     * @param patience for how long to try to lock all tables at once, zero or more, in milliseconds; not part of the
     *     checksum. By default a minute
     * @param tables names as {@code fencing.protect} takes them, at least one
     * @return a migration for {@code Flyway.configure().javaMigrations(…)}
     * @throws IllegalArgumentException if no table is given, or one twice, or if the patience is negative
     */
    public static JavaMigration protectColumn(String version, String column, Duration patience, String... tables) {
        return new ProtectTables(MigrationVersion.fromVersion(version), column, patience, List.of(tables));
    }
}
