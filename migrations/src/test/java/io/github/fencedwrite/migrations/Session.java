package io.github.fencedwrite.migrations;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** One connection and the shortest way to ask it something. */
final class Session implements AutoCloseable {

    private final Connection connection;

    Session(DataSource dataSource) {
        try {
            connection = dataSource.getConnection();
        } catch (SQLException e) {
            throw new SqlFailure(e);
        }
    }

    Connection connection() {
        return connection;
    }

    void run(String... statements) {
        for (String sql : statements) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            } catch (SQLException e) {
                throw new SqlFailure(e);
            }
        }
    }

    /** Runs one statement and tells how many rows it touched. */
    int write(String sql) {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        } catch (SQLException e) {
            throw new SqlFailure(e);
        }
    }

    /** The first column of the first row, as text; null if there is none. */
    String ask(String sql) {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : null;
        } catch (SQLException e) {
            throw new SqlFailure(e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new SqlFailure(e);
        }
    }
}
