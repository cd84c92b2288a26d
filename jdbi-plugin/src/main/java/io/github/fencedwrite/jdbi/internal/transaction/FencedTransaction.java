package io.github.fencedwrite.jdbi.internal.transaction;

import io.github.fencedwrite.jdbi.FencedBody;
import io.github.fencedwrite.jdbi.WriteNotAppliedException;
import io.github.fencedwrite.jdbi.WriteOutcome;
import io.github.fencedwrite.jdbi.internal.postgres.SqlStates;
import io.github.fencedwrite.jdbi.internal.statement.FencingStatementBuilder;
import io.github.fencedwrite.jdbi.internal.transaction.ServerTransaction.Fate;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

/**
 * Runs a body in a transaction that begins with a {@link FenceRow}, and finds out what became of the commit.
 *
 * <ol>
 *   <li>Begin, enter, run the body, commit.
 *   <li>If the body fails, roll back. If it failed since the connection is gone, nothing was committed: from the start again.
 *   <li>If the commit's answer is lost, ask for the {@link Fate} on a new connection. Committed: done, the body's result is
 *       returned and the body not run again. Aborted: from the start again, with the same token. No answer: unknown.
 *   <li>What the database calls retryable is repeated only if the caller wants that.
 * </ol>
 */
public final class FencedTransaction {

    private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int ATTEMPTS_AFTER_LOSS = 3;

    private final Jdbi jdbi;
    private final FenceRow row;
    private final boolean takesRow;
    private final BooleanSupplier mayRepeat;
    private final boolean repeatsRetryable;

    /**
     * Prepares a transaction.
     *
     * @param takesRow whether the fence row is taken at all; otherwise the body's own statements carry the token
     * @param mayRepeat whether there is time for another attempt
     * @param repeatsRetryable whether the database's own wish for a repetition is followed
     */
    public FencedTransaction(
            Jdbi jdbi, FenceRow row, boolean takesRow, BooleanSupplier mayRepeat, boolean repeatsRetryable) {
        this.jdbi = jdbi;
        this.row = row;
        this.takesRow = takesRow;
        this.mayRepeat = mayRepeat;
        this.repeatsRetryable = repeatsRetryable;
    }

    /** Whether the handle that this thread uses at present is in a transaction. */
    public static boolean isOpenOnThisThread(Jdbi jdbi) {
        return jdbi.withHandle(Handle::isInTransaction);
    }

    /** Carries the reason for a repetition past the handle's end. */
    private static final class Interrupted extends RuntimeException {

        private static final long serialVersionUID = 1L;

        final transient WriteOutcome outcome;
        final transient @Nullable ServerTransaction askAbout;
        final transient @Nullable Object result;

        Interrupted(
                WriteOutcome outcome, Throwable cause, @Nullable ServerTransaction askAbout, @Nullable Object result) {
            super(cause);
            this.outcome = outcome;
            this.askAbout = askAbout;
            this.result = result;
        }
    }

    /** Runs {@code body}; see the class. */
    @SuppressWarnings("NullAway") // what the body returned may be null, and is passed on as it is
    public <R extends @Nullable Object, X extends Exception> R run(FencedBody<R, X> body) throws X {
        for (int attempt = 1; ; attempt++) {
            Interrupted interrupted;
            try {
                return jdbi.withHandle(handle -> handle.isInTransaction() ? nested(handle, body) : whole(handle, body));
            } catch (Interrupted e) {
                interrupted = e;
            }
            Fate fate = interrupted.askAbout == null ? Fate.ABORTED : ask(interrupted.askAbout);
            if (fate == Fate.COMMITTED) {
                @SuppressWarnings("unchecked")
                R result = (R) interrupted.result;
                return result;
            }
            boolean lost = interrupted.outcome instanceof WriteOutcome.Unknown;
            boolean again = fate == Fate.ABORTED
                    && (lost ? attempt < ATTEMPTS_AFTER_LOSS : repeatsRetryable)
                    && mayRepeat.getAsBoolean();
            if (!again) {
                throw failure(interrupted, fate);
            }
            pause(attempt);
        }
    }

    private WriteNotAppliedException failure(Interrupted interrupted, Fate fate) {
        WriteOutcome outcome = interrupted.outcome;
        if (outcome instanceof WriteOutcome.Unknown unknown && fate == Fate.ABORTED) {
            outcome = new WriteOutcome.Retryable(unknown.sqlState());
        }
        return WriteNotAppliedException.of(outcome, row.target(), interrupted.getCause());
    }

    @SuppressWarnings("NullAway") // see run
    private <R extends @Nullable Object, X extends Exception> R whole(Handle handle, FencedBody<R, X> body) throws X {
        FencedSection section = new FencedSection(row, takesRow);
        R result = null;
        boolean committing = false;
        try {
            handle.begin();
            section.enter(handle);
            result = FencingStatementBuilder.within(handle, section, h -> body.run(h, row.token()));
            committing = true;
            handle.commit();
            return result;
        } catch (Throwable t) {
            if (!committing) {
                rollback(handle, t);
            }
            SQLException sql = SqlStates.find(t);
            String state = sql == null ? "" : SqlStates.of(sql);
            if (SqlStates.isConnectionLost(state)) {
                ServerTransaction askAbout = committing ? section.transaction() : null;
                throw new Interrupted(new WriteOutcome.Unknown(state), t, askAbout, result);
            } else if (SqlStates.isRetryable(state)) {
                throw new Interrupted(new WriteOutcome.Retryable(state), t, null, null);
            }
            throw sneak(t);
        }
    }

    /** In a transaction that is already open: its owner commits, and its fate is not ours to find out. */
    private <R extends @Nullable Object, X extends Exception> R nested(Handle handle, FencedBody<R, X> body) throws X {
        FencedSection outer =
                FencingStatementBuilder.transaction(handle) instanceof FencedSection section ? section : null;
        if (outer != null && outer.isOf(row)) {
            return body.run(handle, row.token());
        }
        TransactionIsolationLevel level = handle.getTransactionIsolationLevel();
        if (level != TransactionIsolationLevel.READ_COMMITTED && level != TransactionIsolationLevel.READ_UNCOMMITTED) {
            throw new IllegalStateException("The fence row of \"" + row.resource()
                    + "\" must be the first statement of a "
                    + level + " transaction, since what was read before may be out of date. Begin the transaction with "
                    + "Fencing.inTransaction, or use READ COMMITTED.");
        }
        try {
            FencedSection inner = new FencedSection(row, takesRow);
            inner.enter(handle);
            R result = FencingStatementBuilder.within(handle, inner, h -> body.run(h, row.token()));
            if (outer != null) {
                outer.restore(handle.getConnection());
            }
            return result;
        } catch (SQLException e) {
            throw sneak(e);
        }
    }

    /** The fate of a transaction; unknown if nobody can tell within a bounded time. */
    private Fate ask(ServerTransaction transaction) {
        long begin = System.nanoTime();
        for (int attempt = 1; System.nanoTime() - begin < ASK_NANOS; attempt++) {
            try (Handle handle = jdbi.open()) {
                Fate fate = transaction.ask(handle.getConnection());
                if (fate != Fate.IN_PROGRESS) {
                    return fate;
                }
            } catch (Exception e) {
                // the server may be restarting: until the time is over, ask again
            }
            pause(attempt);
        }
        return Fate.UNKNOWN;
    }

    private static void rollback(Handle handle, Throwable reason) {
        try {
            handle.rollback();
        } catch (RuntimeException e) {
            reason.addSuppressed(e);
        }
    }

    private static void pause(int attempt) {
        try {
            long bound = Math.min(200, 10L << Math.min(attempt, 5));
            TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(bound / 2, bound + 1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> RuntimeException sneak(Throwable t) throws X {
        throw (X) t;
    }
}
