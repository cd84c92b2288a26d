package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.jdbi.internal.sql.Guarded;
import io.github.fencedwrite.jdbi.internal.sql.Template;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Which tokens the rows carry that a statement means; see {@link Guarded#PROBE_COLUMNS}.
 *
 * @param rows how many rows there are
 * @param newer how many carry a newer token than the statement's
 * @param same how many carry the statement's own
 * @param missing how many carry NULL
 * @param greatest the greatest token, 0 without rows
 */
record TokenCounts(long rows, long newer, long same, long missing, long greatest) {

    /** Asks with the parameters and the token of row {@code row} (from 0) of a statement. */
    static TokenCounts ask(Template question, FencedStatement statement, int row) throws SQLException {
        Template.Rendered rendered = question.forJdbc();
        try (PreparedStatement asking = statement.real().getConnection().prepareStatement(rendered.sql())) {
            statement.bind(asking, rendered.slots(), row);
            try (ResultSet result = asking.executeQuery()) {
                result.next();
                return new TokenCounts(
                        result.getLong(1), result.getLong(2), result.getLong(3), result.getLong(4), result.getLong(5));
            }
        }
    }

    /** How many carry an older token. */
    long older() {
        return rows - newer - same - missing;
    }
}
