package io.github.fencedwrite.examples.chaos.worker;

import java.sql.SQLException;

/** Names failures for statistics. */
final class Failures {

    private Failures() {}

    /** The exception's class, and the database's code if there is one. */
    static String name(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return failure.getClass().getSimpleName() + "(" + sql.getSQLState() + ")";
            }
        }
        return failure.getClass().getSimpleName();
    }
}
