package io.github.fencedwrite.migrations.internal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Statements in which a name or an operator without a schema is PostgreSQL's own, whatever others have created in the
 * schemas of the connection's search_path.
 */
final class SearchPath {

    /** The path in which the scripts run, too. */
    static final String OWN = "pg_catalog, pg_temp";

    private SearchPath() {}

    /** Runs the work inside the current transaction; a failure ends the transaction, and with it the setting. */
    static <T> T restricted(Connection connection, OwnTransaction.Work<T> work) throws SQLException {
        String before = ask(connection, "SELECT pg_catalog.current_setting(?)", "search_path");
        set(connection, OWN);
        T result = work.on(connection);
        set(connection, before);
        return result;
    }

    private static void set(Connection connection, String path) throws SQLException {
        ask(connection, "SELECT pg_catalog.set_config('search_path', ?, true)", path);
    }

    private static String ask(Connection connection, String sql, String argument) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, argument);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getString(1);
            }
        }
    }
}
