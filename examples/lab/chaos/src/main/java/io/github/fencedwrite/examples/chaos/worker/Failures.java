package io.github.fencedwrite.examples.chaos.worker;

import java.sql.SQLException;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jdbi.v3.core.statement.StatementException;

/** Names failures for statistics. */
final class Failures {

    private static final Pattern BEGINNING = Pattern.compile("\\w+ \\w+");

    private Failures() {}

    /** The exception's class, the beginning of the statement and the database's code, as far as there are any. */
    static String name(Throwable failure) {
        String name = failure.getClass().getSimpleName();
        if (failure instanceof StatementException statement && statement.getStatementContext() != null) {
            name += " "
                    + BEGINNING
                            .matcher(String.valueOf(
                                    statement.getStatementContext().getRawSql()))
                            .results()
                            .map(MatchResult::group)
                            .findFirst()
                            .orElse("");
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return name + "(" + sql.getSQLState() + ")";
            }
        }
        return name;
    }
}
