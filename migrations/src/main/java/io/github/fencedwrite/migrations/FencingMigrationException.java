package io.github.fencedwrite.migrations;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The schema {@code fencing} could not be installed, or is not what this library needs. The message says what to do; the
 * database is as it was before the call.
 */
public final class FencingMigrationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String sqlState;

    public FencingMigrationException(String message, String sqlState) {
        super(message);
        this.sqlState = sqlState;
    }

    public FencingMigrationException(String message, SQLException cause) {
        super(message, cause);
        this.sqlState = stateOf(cause);
    }

    /**
     * The SQLSTATE of the failure, five characters: one of PostgreSQL, or one of the class WF that is documented in the
     * module's README; empty if the driver gave none.
     */
    public String sqlState() {
        return sqlState;
    }

    private static String stateOf(SQLException cause) {
        @Nullable String state = cause.getSQLState();
        return state == null ? "" : state;
    }
}
