package io.github.fencedwrite.jdbi.internal.transaction;

import io.github.fencedwrite.jdbi.internal.ownership.HandleTransactions;
import io.github.fencedwrite.jdbi.internal.postgres.DriverConnection;
import io.github.fencedwrite.jdbi.internal.postgres.SqlStates;
import io.github.fencedwrite.jdbi.internal.transaction.ServerTransaction.Fate;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.UnableToRestoreAutoCommitStateException;
import org.jspecify.annotations.Nullable;

/**
 * One commit, and what became of it. If its answer is lost, the server is asked on a new connection for a bounded time. Used
 * once, by one thread.
 */
final class CommitAttempt implements HandleTransactions.Committer {

    private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Jdbi jdbi;
    private final Connection connection;
    private final ServerTransaction transaction;
    private Fate fate = Fate.ABORTED;
    private boolean lost;
    private @Nullable RuntimeException failure;

    CommitAttempt(Jdbi jdbi, Connection connection, ServerTransaction transaction) {
        this.jdbi = jdbi;
        this.connection = connection;
        this.transaction = transaction;
    }

    /** What became of the transaction: aborted until it was committed, unknown if that cannot be told. */
    Fate fate() {
        return fate;
    }

    /** Whether the connection was lost on the way, so that the handle is of no use any more. */
    boolean isLost() {
        return lost;
    }

    /** What the commit threw, also where it turned out to have been carried out; null if nothing. */
    @Nullable RuntimeException failure() {
        return failure;
    }

    @Override
    public void commit(Runnable commit) {
        lost = DriverConnection.isLost(connection); // then nothing can have been sent
        boolean sent = !lost;
        try {
            commit.run();
            fate = Fate.COMMITTED;
        } catch (UnableToRestoreAutoCommitStateException e) {
            fate = Fate.COMMITTED;
            throw e;
        } catch (RuntimeException e) {
            failure = e;
            SQLException sql = SqlStates.find(e);
            lost |= DriverConnection.isLost(connection)
                    || (sql != null && SqlStates.isConnectionLost(SqlStates.of(sql)));
            fate = lost && sent ? ask() : Fate.ABORTED;
            if (fate == Fate.ABORTED) {
                throw e;
            }
        }
    }

    @Override
    public void beforeCallbacks() {
        if (fate != Fate.COMMITTED && failure != null) {
            throw failure;
        }
    }

    private Fate ask() {
        long begin = System.nanoTime();
        boolean interrupted = Thread.interrupted(); // a pool would refuse to wait, and a pause would be none
        try {
            for (int attempt = 1; System.nanoTime() - begin < ASK_NANOS; attempt++) {
                try (Handle handle = jdbi.open()) {
                    Fate answer = transaction.ask(handle.getConnection());
                    if (answer != Fate.IN_PROGRESS) {
                        return answer;
                    }
                } catch (Exception e) {
                    // the server may be restarting: until the time is over, ask again
                }
                interrupted |= Pause.before(attempt + 1);
            }
            return Fate.UNKNOWN;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
