package io.github.fencedwrite.migrations;

import io.github.fencedwrite.migrations.internal.Installer;
import io.github.fencedwrite.migrations.internal.OwnTransaction;
import io.github.fencedwrite.migrations.internal.PlainSql;
import io.github.fencedwrite.migrations.internal.Verification;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Installs the schema {@code fencing} into a PostgreSQL database (14 or later) and keeps it up to date.
 *
 * <p>Needs one connection at a time and one transaction, so that it works on any pool and either does everything or
 * nothing; any number of instances may start at once. What was run is recorded in {@code fencing.flyway_schema_history}
 * in Flyway's own format, apart from the application's history; Flyway itself is not needed. Immutable and safe for use
 * by many threads.
 */
public final class FencingMigrations {

    private final DataSource dataSource;

    private FencingMigrations(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * Names the database.
     *
     * @param dataSource where to get a connection; its user needs the right to create schemas, or must own a schema
     *     {@code fencing} that an administrator has made
     */
    public static FencingMigrations on(DataSource dataSource) {
        return new FencingMigrations(Objects.requireNonNull(dataSource, "dataSource"));
    }

    /**
     * Runs the scripts that have not been run yet; call it before the application's own migrations. If all is up to date
     * it only reads.
     *
     * @return what was done
     * @throws FencingMigrationException if the database refuses, if a newer version than this library knows is installed,
     *     or if something is missing that the history says is there; nothing was changed then
     */
    public InstallResult install() {
        return inTransaction(Installer::install, Installer::explained);
    }

    /**
     * Runs all scripts again, whatever the history says, and creates what is missing; data is kept. For an operator, after
     * {@link #install()} or {@link #verify()} has reported missing parts.
     *
     * @return what was done
     * @throws FencingMigrationException if the database refuses, or if a newer version than this library knows is
     *     installed; nothing was changed then
     */
    public InstallResult repair() {
        return inTransaction(Installer::repair, Installer::explained);
    }

    /**
     * Checks that the schema is there, whole, and of the version that this library needs, and that each table is enforced
     * as it is registered, in all its partitions; changes nothing. For applications whose role may not create tables: it
     * needs no rights but the one to connect.
     *
     * @throws FencingMigrationException if something is not as it should be, with what to do
     */
    public void verify() {
        inTransaction(
                connection -> {
                    Verification.run(connection);
                    return true;
                },
                Verification::explained);
    }

    /**
     * All scripts and the records for the history as one SQL file, for psql or another tool; can be run again at any
     * time. It has no BEGIN and COMMIT: run it in one transaction ({@code psql -1}).
     */
    public static String plainSql() {
        return PlainSql.text();
    }

    private <T> T inTransaction(
            OwnTransaction.Work<T> work, Function<SQLException, FencingMigrationException> explained) {
        try (Connection connection = dataSource.getConnection()) {
            return OwnTransaction.run(connection, work);
        } catch (SQLException e) {
            throw explained.apply(e);
        }
    }
}
