package io.github.fencedwrite.jdbi.internal.transaction;

import io.github.fencedwrite.jdbi.internal.postgres.SqlStates;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * A transaction as its server knows it, so that its fate can be asked for on another connection. Immutable.
 *
 * <p>The id alone is not enough. The server forgets those it gave shortly before a crash and gives them once more, so that
 * {@code pg_xact_status} may speak of somebody else's transaction: it is believed that one was committed only if the server has
 * not recovered from a crash since this one began. After a crash an id that is unknown, or was aborted, was not committed in
 * either case.
 *
 * @param id the transaction's id, with epoch
 * @param begun when it began, by the server's clock
 */
record ServerTransaction(String id, OffsetDateTime begun) {

    /** The columns that {@link #read} expects, first in a row that the transaction itself selects or returns. */
    static final String COLUMNS = "pg_catalog.pg_current_xact_id()::text, pg_catalog.now()";

    // Statistics survive a shutdown, not a crash, that of a single server process included. The other one is for
    // servers
    // that keep their statistics in another way.
    private static final String ASK = "SELECT pg_catalog.pg_xact_status(?::pg_catalog.xid8), greatest(s.stats_reset,"
            + " pg_catalog.pg_postmaster_start_time()) < ? FROM pg_catalog.pg_stat_bgwriter AS s";

    /** What became of a transaction. */
    enum Fate {
        COMMITTED,
        ABORTED,
        IN_PROGRESS,
        /** The server cannot tell: it was long ago, or the server crashed since. */
        UNKNOWN
    }

    /** Reads the first two columns of the row that {@code result} is at. */
    static ServerTransaction read(ResultSet result) throws SQLException {
        return new ServerTransaction(result.getString(1), result.getObject(2, OffsetDateTime.class));
    }

    /** Asks on a connection to the same database. */
    Fate ask(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(ASK)) {
            statement.setString(1, id);
            statement.setObject(2, begun);
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                return fate(result.getString(1), result.getBoolean(2));
            }
        } catch (SQLException e) {
            if (SqlStates.of(e).equals(SqlStates.INVALID_PARAMETER_VALUE)) {
                return Fate.ABORTED; // an id that is yet to be given: the server crashed and has forgotten it
            }
            throw e;
        }
    }

    private static Fate fate(@Nullable String status, boolean sameServerSince) {
        if (status == null) {
            return Fate.UNKNOWN;
        }
        return switch (status) {
            case "committed" -> sameServerSince ? Fate.COMMITTED : Fate.UNKNOWN;
            case "aborted" -> Fate.ABORTED;
            case "in progress" -> Fate.IN_PROGRESS;
            default -> Fate.UNKNOWN;
        };
    }
}
