package io.github.fencedwrite.jdbi.internal;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.FencedTarget;
import io.github.fencedwrite.jdbi.TableNotReadyException;
import io.github.fencedwrite.jdbi.WriteNotAppliedException;
import io.github.fencedwrite.jdbi.WriteOutcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What a fenced transaction begins with: one statement that takes the fence row of the resource, tells the triggers the token,
 * limits how long the transaction may block others, and answers the transaction's id.
 *
 * @param resource the resource, as the lock knows it
 * @param token the token of the lease
 * @param lease the lease, whose validity limits the transaction; null if only the token is known
 * @param takesRow whether the fence row is taken at all; otherwise the body's own statements carry the token
 */
public record FenceRow(
        String resource, FencingToken token, @Nullable Lease lease, boolean takesRow) {

    // The first FROM item is evaluated before the second, since that depends on it: so the wait for the row is limited,
    // too.
    private static final String ENTER = "SELECT e.transaction_id, e.entered, e.stored_token FROM (SELECT"
            + " coalesce(set_config('lock_timeout', ?, true)"
            + " || set_config('idle_in_transaction_session_timeout', ?, true)"
            + " || set_config('statement_timeout', ?, true), 'x') AS s) AS t,"
            + " LATERAL fencing.enter(?, CASE WHEN t.s IS NULL THEN NULL ELSE ? END) AS e";
    private static final String ENTER_UNLIMITED =
            "SELECT e.transaction_id, e.entered, e.stored_token FROM fencing.enter(?, ?) AS e";
    private static final String LIMIT =
            "SELECT pg_current_xact_id()::text, true, 0, set_config('lock_timeout', ?, true),"
                    + " set_config('idle_in_transaction_session_timeout', ?, true), set_config('statement_timeout', ?, true)";
    private static final String ID = "SELECT pg_current_xact_id()::text, true, 0";

    /**
     * Enters, as the first statement of the transaction.
     *
     * @return the transaction's id, for {@code pg_xact_status}
     * @throws WriteNotAppliedException if a greater token was there
     */
    String enter(Connection connection) throws SQLException {
        String sql = takesRow ? lease == null ? ENTER_UNLIMITED : ENTER : lease == null ? ID : LIMIT;
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int next = 1;
            if (lease != null) {
                String limit = Long.toString(Math.max(1, lease.remaining().toMillis()));
                for (; next <= 3; next++) {
                    statement.setString(next, limit);
                }
            }
            if (takesRow) {
                statement.setString(next, resource);
                statement.setLong(next + 1, token.value());
            }
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                if (!result.getBoolean(2)) {
                    WriteOutcome stale = new WriteOutcome.Stale(token, FencingToken.of(result.getLong(3)));
                    throw WriteNotAppliedException.of(Regression.ask(stale, lease), target(), null);
                }
                return result.getString(1);
            }
        } catch (SQLException e) {
            String state = SqlStates.of(e);
            if (state.equals(SqlStates.UNDEFINED_SCHEMA) || state.equals(SqlStates.UNDEFINED_FUNCTION)) {
                throw TableNotReadyException.noFence(e);
            }
            throw e;
        }
    }

    /** The fence row for messages. */
    FencedTarget target() {
        return new FencedTarget("fencing.fence", "resource=" + resource, token, lease);
    }
}
