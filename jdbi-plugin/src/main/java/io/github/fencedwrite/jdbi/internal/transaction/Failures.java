package io.github.fencedwrite.jdbi.internal.transaction;

import io.github.fencedwrite.jdbi.FencedTarget;
import io.github.fencedwrite.jdbi.ReadOnlyDatabaseException;
import io.github.fencedwrite.jdbi.RetryableWriteException;
import io.github.fencedwrite.jdbi.WriteOutcome;
import io.github.fencedwrite.jdbi.internal.postgres.DriverConnection;
import io.github.fencedwrite.jdbi.internal.postgres.DriverConnection.State;
import io.github.fencedwrite.jdbi.internal.postgres.SqlStates;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What it means that a body has failed. An error counts only if it has ended this very transaction, which shows on its
 * connection: a body may talk to other databases, and what they answer is no matter of Fencing's.
 */
final class Failures {

    private static final String CONNECTION_GONE = "08003";

    private Failures() {}

    /**
     * Looks at a failure before the rollback.
     *
     * @return what is to be thrown instead of it, null if it leaves as it came
     */
    static @Nullable RuntimeException meaning(Connection connection, Throwable thrown, FencedTarget target) {
        if (thrown instanceof RetryableWriteException e && e.outcome() instanceof WriteOutcome.Retryable retryable) {
            boolean lost = SqlStates.isConnectionLost(retryable.sqlState());
            State now = DriverConnection.state(connection);
            boolean ours = retryable.sqlState().isEmpty() || now == State.LOST || (now == State.FAILED && !lost);
            return ours ? new AttemptFailedException(retryable, lost, null, thrown) : null;
        }
        SQLException sql = SqlStates.find(thrown);
        if (sql == null) {
            return null;
        }
        State state = DriverConnection.state(connection);
        boolean lost = SqlStates.of(sql).isEmpty() || SqlStates.isConnectionLost(SqlStates.of(sql));
        if (state == State.LOST
                ? lost || SqlStates.isRetryable(sql)
                : state == State.FAILED && SqlStates.isRetryable(sql)) {
            return new AttemptFailedException(new WriteOutcome.Retryable(stateOf(thrown)), lost, null, thrown);
        } else if (state == State.FAILED && SqlStates.of(sql).equals(SqlStates.READ_ONLY_TRANSACTION)) {
            return new ReadOnlyDatabaseException(target, thrown);
        }
        return null;
    }

    /** Whether the database asks for a repetition. */
    static boolean isRetryable(Throwable thrown) {
        SQLException sql = SqlStates.find(thrown);
        return sql != null && SqlStates.isRetryable(sql);
    }

    /** The code of the database or the driver; that of a missing connection where a pool gives none. */
    static String stateOf(Throwable thrown) {
        SQLException sql = SqlStates.find(thrown);
        return sql == null || SqlStates.of(sql).isEmpty() ? CONNECTION_GONE : SqlStates.of(sql);
    }
}
