package io.github.fencedwrite.migrations.internal;

import io.github.fencedwrite.migrations.FencingMigrationException;
import io.github.fencedwrite.migrations.InstallResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Brings the schema {@code fencing} up to date on one connection, inside the caller's transaction.
 *
 * <ol>
 *   <li>Refuse what others have put into the schema. Read history and catalog; if all is there and up to date, stop. No lock, no write.
 *   <li>Take the advisory lock of all installers, and read again: another instance may have done it meanwhile.
 *   <li>Refuse what this library does not understand: newer versions, failed or altered scripts, missing parts.
 *   <li>Run the versioned scripts that are not on record, then the functions if they have changed, and record them.
 * </ol>
 */
public final class Installer {

    private static final String LOCK = "SELECT pg_catalog.pg_advisory_xact_lock(x'66656e63696e67'::bigint)";

    // A session learns what others have created when it locks a relation that it has not locked in this transaction
    // yet; the
    // lock above is none, and the cache may still say that there is no schema fencing. No installer reads this
    // relation.
    private static final String TAKE_NOTICE = "SELECT FROM pg_catalog.pg_ts_template LIMIT 1";

    private Installer() {}

    /** Does what is needed. */
    public static InstallResult install(Connection connection) throws SQLException {
        return SearchPath.restricted(connection, Installer::installRestricted);
    }

    private static InstallResult installRestricted(Connection connection) throws SQLException {
        Condition before = Condition.toInstall(connection);
        if (before.isUpToDate()) {
            return new InstallResult(before.version(), List.of());
        }
        lock(connection);
        Condition condition = Condition.toInstall(connection);
        condition.refuseUnknown();
        condition.refuseMissing();
        return run(connection, condition.pending());
    }

    /** Runs everything again. */
    public static InstallResult repair(Connection connection) throws SQLException {
        return SearchPath.restricted(connection, restricted -> {
            lock(restricted);
            Condition.toInstall(restricted).refuseUnknown();
            return run(restricted, Script.ALL);
        });
    }

    /** The exception for callers, with what to do about the commonest refusals. */
    public static FencingMigrationException explained(SQLException e) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        String wayOut = switch (state) {
            case "42501" ->
                " Let an administrator run: CREATE SCHEMA fencing AUTHORIZATION <the role that"
                        + " migrates>; or, where another role has installed the schema: SELECT"
                        + " fencing.grant_access('<this role>', 'migrator').";
            case "25006" -> " Connect to the primary server.";
            default -> "";
        };
        return new FencingMigrationException("The schema fencing was not changed: " + e.getMessage() + "." + wayOut, e);
    }

    private static InstallResult run(Connection connection, List<Script> scripts) throws SQLException {
        List<String> applied = new ArrayList<>();
        for (Script script : scripts) {
            execute(connection, script.sql());
            // the schema exists from the first script on
            execute(connection, History.CREATE);
            execute(connection, History.recording(script));
            applied.add(script.file());
        }
        return new InstallResult(Script.VERSION, applied);
    }

    private static void lock(Connection connection) throws SQLException {
        execute(connection, LOCK);
        execute(connection, TAKE_NOTICE);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(sql);
        }
    }
}
