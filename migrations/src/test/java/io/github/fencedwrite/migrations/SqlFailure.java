package io.github.fencedwrite.migrations;

import java.sql.SQLException;
import org.postgresql.util.PSQLException;

/** What the database refused, with its parts at hand. */
final class SqlFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String state;
    private final String hint;
    private final String detail;

    SqlFailure(SQLException cause) {
        super(cause.getMessage(), cause);
        this.state = cause.getSQLState();
        var message = cause instanceof PSQLException e ? e.getServerErrorMessage() : null;
        this.hint = message == null ? null : message.getHint();
        this.detail = message == null ? null : message.getDetail();
    }

    String state() {
        return state;
    }

    String hint() {
        return hint;
    }

    String detail() {
        return detail;
    }
}
