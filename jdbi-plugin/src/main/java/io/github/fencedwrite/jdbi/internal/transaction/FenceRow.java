package io.github.fencedwrite.jdbi.internal.transaction;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.FencedTarget;
import io.github.fencedwrite.jdbi.ReadOnlyDatabaseException;
import io.github.fencedwrite.jdbi.StaleTokenException;
import io.github.fencedwrite.jdbi.TableNotReadyException;
import io.github.fencedwrite.jdbi.WriteNotAppliedException;
import io.github.fencedwrite.jdbi.WriteOutcome;
import io.github.fencedwrite.jdbi.internal.postgres.SqlStates;
import io.github.fencedwrite.jdbi.internal.statement.RegressionCheck;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The row of a resource in the fence table, which a fenced transaction takes first: one statement that stores the token and
 * keeps the row locked, tells the triggers the token, limits how long the transaction may block others, and answers the
 * transaction's id.
 *
 * <p>A row that is there and carries no newer token is updated directly, which is what nearly always happens. Only if that
 * finds nothing, {@code fencing.enter} is asked, which tells a new resource from a stale token and knows the floor that a
 * cleanup has left.
 *
 * @param resource the resource, as the lock knows it
 * @param token the token of the lease
 * @param lease the lease, whose validity limits the transaction; null if only the token is known
 */
public record FenceRow(
        String resource, FencingToken token, @Nullable Lease lease) {

    // The limits are set while rows are filtered, that is before the wait for the row's lock, which they are to limit.
    private static final String UPDATE = "UPDATE fencing.fence AS f SET last_token = p.token"
            + " FROM (SELECT ?::text AS resource, ?::bigint AS token%s) AS p"
            + " WHERE f.resource = p.resource AND f.last_token <= p.token%s"
            + " RETURNING " + ServerTransaction.COLUMNS + ","
            + " pg_catalog.set_config('fencing.token', f.last_token::text, true)";
    private static final String RENEW = UPDATE.formatted("", "");
    private static final String RENEW_LIMITED =
            UPDATE.formatted(", " + TransactionLimits.PARAMETERS, " AND (" + TransactionLimits.set(" || ") + ") <> ''");

    /** A section announces its own token, even if the transaction has entered another resource with a greater one before. */
    private static final String ANNOUNCED =
            "CASE WHEN e.entered THEN pg_catalog.set_config('fencing.token', e.stored_token::text, true) END";

    private static final String ENTER = "SELECT e.transaction_id, " + ServerTransaction.SERVER_COLUMNS
            + ", e.entered, e.stored_token, " + ANNOUNCED + " FROM fencing.enter(?, ?) AS e";
    // The first FROM item is evaluated before the second, since that depends on it.
    private static final String ENTER_LIMITED = "SELECT e.transaction_id, " + ServerTransaction.SERVER_COLUMNS
            + ", e.entered, e.stored_token, " + ANNOUNCED
            + " FROM (SELECT ?::text AS resource, ?::bigint AS token, " + TransactionLimits.PARAMETERS + ") AS p,"
            + " LATERAL (SELECT " + TransactionLimits.set(" || ") + " AS done) AS t,"
            + " LATERAL fencing.enter(p.resource, CASE WHEN t.done <> '' THEN p.token END) AS e";

    /**
     * Enters, as the first statement of the transaction.
     *
     * @return the transaction as the server knows it
     * @throws StaleTokenException if a greater token was there
     */
    ServerTransaction enter(Connection connection) throws SQLException {
        try {
            ServerTransaction renewed = renew(connection);
            return renewed != null ? renewed : enterFirstTime(connection);
        } catch (SQLException e) {
            String state = SqlStates.of(e);
            if (state.equals(SqlStates.UNDEFINED_SCHEMA)
                    || state.equals(SqlStates.UNDEFINED_TABLE)
                    || state.equals(SqlStates.UNDEFINED_FUNCTION)) {
                throw TableNotReadyException.noFence(e);
            } else if (state.equals(SqlStates.INSUFFICIENT_PRIVILEGE)) {
                throw TableNotReadyException.noAccess(e);
            } else if (state.equals(SqlStates.READ_ONLY_TRANSACTION)) {
                throw new ReadOnlyDatabaseException(target(), e);
            }
            throw e;
        }
    }

    private @Nullable ServerTransaction renew(Connection connection) throws SQLException {
        try (PreparedStatement statement = prepare(connection, RENEW, RENEW_LIMITED);
                ResultSet result = statement.executeQuery()) {
            return result.next() ? ServerTransaction.read(result) : null;
        }
    }

    private ServerTransaction enterFirstTime(Connection connection) throws SQLException {
        try (PreparedStatement statement = prepare(connection, ENTER, ENTER_LIMITED);
                ResultSet result = statement.executeQuery()) {
            result.next();
            if (!result.getBoolean(4)) {
                WriteOutcome stale = new WriteOutcome.Stale(token, FencingToken.of(result.getLong(5)));
                throw WriteNotAppliedException.of(RegressionCheck.ask(stale, lease), target(), null);
            }
            return ServerTransaction.read(result);
        }
    }

    private PreparedStatement prepare(Connection connection, String unlimited, String limited) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(lease == null ? unlimited : limited);
        statement.setString(1, resource);
        statement.setLong(2, token.value());
        if (lease != null) {
            TransactionLimits.bind(statement, 3, lease);
        }
        return statement;
    }

    /** The fence row for messages. */
    FencedTarget target() {
        return new FencedTarget("fencing.fence", "resource=" + resource, token, lease);
    }
}
