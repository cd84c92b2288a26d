package io.github.fencedwrite.jdbi.internal.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A connection as pgjdbc sees it. The driver is asked by reflection, so that it is no dependency. */
public final class DriverConnection {

    private static final String BASE = "org.postgresql.core.BaseConnection";

    /** How far a transaction is. */
    public enum State {
        /** None is open. */
        IDLE,
        /** Open and well. */
        OPEN,
        /** An error has ended it: the server ignores everything but a rollback, and answers a commit with one. */
        FAILED,
        /** The connection is gone, and a transaction that was not committed with it. */
        LOST
    }

    private DriverConnection() {}

    /** Looks at the transaction, without talking to the server if the driver is pgjdbc. */
    public static State state(Connection connection) {
        try {
            if (connection.isClosed()) {
                return State.LOST;
            }
            Object driver = of(connection);
            if (driver == null) {
                return ask(connection);
            }
            Object state = Class.forName(BASE, false, driver.getClass().getClassLoader())
                    .getMethod("getTransactionState")
                    .invoke(driver);
            return State.valueOf(String.valueOf(state));
        } catch (SQLException | ReflectiveOperationException | IllegalArgumentException e) {
            return ask(connection);
        }
    }

    /** Whether the connection is known to be gone. */
    public static boolean isLost(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException e) {
            return true;
        }
    }

    /** Whether two connections, of pools or proxies, are one and the same session. */
    public static boolean isSame(Connection one, Connection other) {
        if (one.equals(other)) {
            return true;
        }
        Object driver = of(one);
        return driver != null && driver == of(other);
    }

    /** The driver's own connection; null if it is another driver's. */
    static @Nullable Object of(Connection connection) {
        try {
            ClassLoader loader = connection.unwrap(Connection.class).getClass().getClassLoader();
            return connection.unwrap(Class.forName(BASE, false, loader));
        } catch (SQLException | ClassNotFoundException | LinkageError e) {
            return null;
        }
    }

    private static State ask(Connection connection) {
        try (PreparedStatement statement = connection.prepareStatement("SELECT 1")) {
            statement.execute();
            return State.OPEN;
        } catch (SQLException e) {
            return SqlStates.of(e).equals(SqlStates.IN_FAILED_TRANSACTION) ? State.FAILED : State.LOST;
        }
    }
}
