package io.github.fencedwrite.examples.inventory.http;

import java.sql.SQLException;
import java.sql.SQLTransientException;
import org.jspecify.annotations.Nullable;

/** Tells whether an exception means that the database cannot be reached, as against a fault of this service. */
final class DatabaseAway {

    private DatabaseAway() {}

    static boolean isCauseOf(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && isAway(sql)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAway(SQLException e) {
        if (e instanceof SQLTransientException) {
            return true; // the pool has no connection to give
        }
        String state = e.getSQLState();
        return state != null
                && (state.startsWith("08") // connection
                        || state.startsWith("57P") // shutdown and crash
                        || state.startsWith("53") // out of connections, memory or disk
                        || state.equals("25006")); // read-only: a standby before it is promoted
    }
}
