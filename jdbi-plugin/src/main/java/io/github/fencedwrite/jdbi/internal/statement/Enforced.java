package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.FencedWriteException;
import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.FencedTarget;
import io.github.fencedwrite.jdbi.NotAnnouncedException;
import io.github.fencedwrite.jdbi.WriteNotAppliedException;
import io.github.fencedwrite.jdbi.WriteOutcome;
import io.github.fencedwrite.jdbi.internal.postgres.SqlStates;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the errors that the triggers of fencing.enforce raise. Their DETAIL is a JSON object; the driver has it in the message
 * unless it was told to keep details to itself.
 */
final class Enforced {

    private Enforced() {}

    static FencedWriteException translate(SQLException e, @Nullable FencedCall call) {
        String text = String.valueOf(e.getMessage());
        String table = first("\"table\": \"((?:[^\"\\\\]|\\\\.)*)\"", text, "the table")
                .replace("\\\"", "\"");
        String key = first("\"key\": \\{([^}]*)\\}", text, "").replace("\"", "").replace(": ", "=");
        long presented = Long.parseLong(first("\"presented\": (\\d+)", text, "0"));
        long stored = Long.parseLong(first("\"stored\": (\\d+)", text, "0"));
        if (SqlStates.of(e).equals(SqlStates.ENFORCED_STALE) && (presented > 0 || call != null)) {
            FencingToken token = presented > 0 || call == null ? FencingToken.of(presented) : call.token(0);
            Lease lease = call == null ? null : call.leaseOf(token);
            FencingToken other = stored > 0 ? FencingToken.of(stored) : null;
            FencedTarget target = new FencedTarget(table, key, token, lease);
            WriteOutcome stale = new WriteOutcome.Stale(token, other);
            WriteOutcome outcome = RegressionCheck.ask(stale, lease);
            if (call != null) {
                call.finished(List.of(outcome));
            }
            return WriteNotAppliedException.of(outcome, target, e);
        }
        return new NotAnnouncedException(table, key, SqlStates.of(e), e);
    }

    private static String first(String pattern, String text, String otherwise) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        return matcher.find() ? matcher.group(1) : otherwise;
    }
}
