package io.github.fencedwrite.migrations.internal;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A transaction that this library begins and ends, on a connection that it leaves as it was. Under READ COMMITTED, since
 * an instance that waits for another one must see what that one did.
 */
public final class OwnTransaction {

    private OwnTransaction() {}

    /** What is to be done in the transaction. */
    public interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    /** Commits what the work has done, or rolls it back if the work throws. */
    public static <T> T run(Connection connection, Work<T> work) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        boolean readOnly = connection.isReadOnly();
        int isolation = connection.getTransactionIsolation();
        connection.setReadOnly(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        connection.setAutoCommit(false);
        try {
            T result = work.on(connection);
            connection.commit();
            return result;
        } catch (SQLException | RuntimeException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(autoCommit);
            connection.setTransactionIsolation(isolation);
            connection.setReadOnly(readOnly);
        }
    }
}
