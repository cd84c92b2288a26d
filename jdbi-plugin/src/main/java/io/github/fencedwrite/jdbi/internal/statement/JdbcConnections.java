package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.jdbi.internal.ownership.SpringTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Where the connection of a {@link JdbcCall} comes from, and who ends its transaction. */
@FunctionalInterface
public interface JdbcConnections {

    /**
     * What runs on a connection.
     *
     * @param <T> what it returns
     */
    @FunctionalInterface
    interface Work<T> {

        /** Runs on {@code connection}. */
        T on(Connection connection) throws SQLException;
    }

    /** Runs {@code work}. */
    <T> T run(Work<T> work) throws SQLException;

    /** One connection, which stays the caller's, as does its transaction. */
    static JdbcConnections of(Connection connection) {
        return new JdbcConnections() {
            @Override
            public <T> T run(Work<T> work) throws SQLException {
                return work.on(connection);
            }
        };
    }

    /** A connection from {@code source} for each call, in autocommit or in a transaction of Spring's. */
    static JdbcConnections of(DataSource source) {
        return new JdbcConnections() {
            @Override
            public <T> T run(Work<T> work) throws SQLException {
                try (Connection connection = source.getConnection()) {
                    if (!connection.getAutoCommit() && !SpringTransactions.include(connection)) {
                        throw new IllegalStateException(
                                "This data source hands out connections with autocommit off (autoCommit=false of a pool), so a single "
                                        + "statement would be rolled back when its connection is closed. Switch autocommit on, or use "
                                        + "FencedJdbc.on(connection) and commit there.");
                    }
                    return work.on(connection);
                }
            }
        };
    }
}
