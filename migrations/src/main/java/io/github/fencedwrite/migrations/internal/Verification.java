package io.github.fencedwrite.migrations.internal;

import io.github.fencedwrite.migrations.FencingMigrationException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Whether the schema {@code fencing} is what this library needs, and the tables are enforced as registered. */
public final class Verification {

    private static final String NOT_AS_REGISTERED = """
            SELECT string_agg(format('%I.%I, column %I: %s instead of %s',
                schema_name, table_name, token_column, enforced, mode), '; ')
            FROM fencing.protected_tables WHERE enforced <> mode
            """;
    private static final String FLOOR_LOST =
            "SELECT 'fencing.fence_floor' WHERE NOT EXISTS (SELECT FROM fencing.fence_floor)";

    private Verification() {}

    /** Throws unless all is as it should be. */
    public static void run(Connection connection) throws SQLException {
        SearchPath.restricted(connection, restricted -> {
            Condition condition = Condition.toVerify(restricted);
            condition.refuseUnknown();
            condition.refuseMissing();
            condition.refusePending();
            refuse(
                    restricted,
                    FLOOR_LOST,
                    "The row is missing in %s: something has emptied the table. Keep the schema fencing out of tools that"
                            + " empty all tables, and run FencingMigrations.on(dataSource).repair() as its owner.");
            refuse(
                    restricted,
                    NOT_AS_REGISTERED,
                    "Not enforced as registered: %s. SELECT * FROM fencing.inspect(<table>, <column>) tells what to do.");
            return true;
        });
    }

    private static void refuse(Connection connection, String sql, String message) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            if (rows.next() && rows.getString(1) != null) {
                throw new FencingMigrationException(message.formatted(rows.getString(1)), "WF112");
            }
        }
    }

    /** The exception for callers. */
    public static FencingMigrationException explained(SQLException e) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        String wayOut = state.equals("42501")
                ? " As the owner of the schema fencing, install this version of fenced-write, which grants what verifying"
                        + " needs to everybody."
                : "";
        return new FencingMigrationException(
                "The schema fencing was not verified: " + e.getMessage() + "." + wayOut, e);
    }
}
