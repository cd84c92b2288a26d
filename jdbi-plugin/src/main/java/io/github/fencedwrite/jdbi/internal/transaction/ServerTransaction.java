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
 * <p>The id alone is not enough. The server forgets those it gave shortly before a crash and gives them once more, and after a
 * failover the new primary gives those that the old one had not sent it. {@code pg_xact_status} may then speak of another
 * transaction, or not know that this one was committed elsewhere. So only the server that had the transaction is believed, and
 * that it was committed only if the server has not recovered from a crash since.
 *
 * @param id the transaction's id, with epoch
 * @param begun when it began, by the server's clock
 * @param serverStarted when its server was started, which tells servers apart
 */
record ServerTransaction(String id, OffsetDateTime begun, OffsetDateTime serverStarted) {

    /** The columns that {@link #read} expects, first in a row that the transaction itself selects or returns. */
    static final String COLUMNS = "pg_catalog.pg_current_xact_id()::text, " + ServerTransaction.SERVER_COLUMNS;

    /** Those of them that do not name the transaction. */
    static final String SERVER_COLUMNS = "pg_catalog.now(), pg_catalog.pg_postmaster_start_time()";

    // Statistics survive a shutdown, not a crash, that of a single server process included.
    private static final String ASK_SERVER = "SELECT pg_catalog.pg_is_in_recovery(),"
            + " pg_catalog.pg_postmaster_start_time() = ?, coalesce(s.stats_reset < ?, true)"
            + " FROM pg_catalog.pg_stat_bgwriter AS s";
    private static final String ASK_STATUS = "SELECT pg_catalog.pg_xact_status(?::pg_catalog.xid8)";

    /** What became of a transaction. */
    enum Fate {
        COMMITTED,
        ABORTED,
        /** Not decided yet, or this server cannot know yet: ask again. */
        IN_PROGRESS,
        /** The server cannot tell: it was long ago, the server crashed since, or it is another one. */
        UNKNOWN
    }

    /** Reads the first columns of the row that {@code result} is at. */
    static ServerTransaction read(ResultSet result) throws SQLException {
        return new ServerTransaction(
                result.getString(1),
                result.getObject(2, OffsetDateTime.class),
                result.getObject(3, OffsetDateTime.class));
    }

    /** Asks on a connection to the same database. */
    Fate ask(Connection connection) throws SQLException {
        boolean recoveredSince;
        try (PreparedStatement statement = connection.prepareStatement(ASK_SERVER)) {
            statement.setObject(1, serverStarted);
            statement.setObject(2, begun);
            try (ResultSet server = statement.executeQuery()) {
                server.next();
                if (server.getBoolean(1)) {
                    return Fate.IN_PROGRESS; // a standby: the primary may be found later
                } else if (!server.getBoolean(2)) {
                    return Fate.UNKNOWN;
                }
                recoveredSince = !server.getBoolean(3);
            }
        }
        try (PreparedStatement statement = connection.prepareStatement(ASK_STATUS)) {
            statement.setString(1, id);
            try (ResultSet status = statement.executeQuery()) {
                status.next();
                return fate(status.getString(1), recoveredSince);
            }
        } catch (SQLException e) {
            if (SqlStates.of(e).equals(SqlStates.INVALID_PARAMETER_VALUE)) {
                return Fate.ABORTED; // an id that is yet to be given: the server crashed and has forgotten it
            }
            throw e;
        }
    }

    private static Fate fate(@Nullable String status, boolean recoveredSince) {
        if (status == null) {
            return Fate.UNKNOWN;
        }
        return switch (status) {
            case "committed" -> recoveredSince ? Fate.UNKNOWN : Fate.COMMITTED;
            case "aborted" -> Fate.ABORTED;
            case "in progress" -> Fate.IN_PROGRESS;
            default -> Fate.UNKNOWN;
        };
    }
}
