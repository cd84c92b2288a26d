package io.github.fencedwrite.jdbi.internal.transaction;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.FencedBody;
import io.github.fencedwrite.jdbi.FencedTarget;
import io.github.fencedwrite.jdbi.InsufficientValidityException;
import io.github.fencedwrite.jdbi.TransactionRolledBackException;
import io.github.fencedwrite.jdbi.WriteNotAppliedException;
import io.github.fencedwrite.jdbi.WriteOutcome;
import io.github.fencedwrite.jdbi.internal.ownership.HandleTransactions;
import io.github.fencedwrite.jdbi.internal.ownership.TransactionOwner;
import io.github.fencedwrite.jdbi.internal.postgres.DriverConnection;
import io.github.fencedwrite.jdbi.internal.statement.FencingConfig;
import io.github.fencedwrite.jdbi.internal.statement.FencingStatementBuilder;
import io.github.fencedwrite.jdbi.internal.transaction.ServerTransaction.Fate;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

/**
 * Runs a body in a fenced transaction, and finds out what became of the commit.
 *
 * <ol>
 *   <li>If nobody has begun a transaction on the handle: begin, enter, run the body, commit. Otherwise enter the one that is
 *       open, run the body, and leave the commit to its owner.
 *   <li>If the body fails, roll back. If it failed since this connection is gone, nothing was committed: from the start again.
 *   <li>If the commit's answer is lost, ask for the {@link Fate} on a new connection. Committed: done, the body's result is
 *       returned and the body not run again. Aborted: from the start again, with the same token. No answer: unknown.
 *   <li>What the database calls retryable is repeated only if the caller wants that.
 *   <li>What runs after the commit decides nothing; its exception is passed on.
 * </ol>
 */
public final class FencedTransaction {

    private static final int ATTEMPTS_AFTER_LOSS = 3;

    private final Jdbi jdbi;
    private final FencedSection section;
    private final TransactionIsolationLevel isolation;
    private final BooleanSupplier mayRepeat;
    private final boolean repeatsRetryable;
    private final @Nullable Handle given;

    private FencedTransaction(
            Jdbi jdbi,
            FencedSection section,
            TransactionIsolationLevel isolation,
            BooleanSupplier mayRepeat,
            boolean repeatsRetryable,
            @Nullable Handle given) {
        this.jdbi = jdbi;
        this.section = section;
        this.isolation = isolation;
        this.mayRepeat = mayRepeat;
        this.repeatsRetryable = repeatsRetryable;
        this.given = given;
    }

    /** The same on a handle of the caller's, instead of the thread's. */
    FencedTransaction on(@Nullable Handle handle) {
        return new FencedTransaction(jdbi, section, isolation, mayRepeat, repeatsRetryable, handle);
    }

    /**
     * Prepares a transaction.
     *
     * @param isolation the level to begin with, UNKNOWN for the one that the connection has
     * @param mayRepeat whether there is time for another attempt
     * @param repeatsRetryable whether the database's own wish for a repetition is followed
     */
    static FencedTransaction of(
            Jdbi jdbi,
            FencedSection section,
            TransactionIsolationLevel isolation,
            BooleanSupplier mayRepeat,
            boolean repeatsRetryable) {
        return new FencedTransaction(jdbi, section, isolation, mayRepeat, repeatsRetryable, null);
    }

    /** Prepares a transaction under leases that somebody else acquires and releases. */
    public static FencedTransaction under(
            Jdbi jdbi, List<Lease> leases, boolean takesRows, TransactionIsolationLevel isolation) {
        leases.forEach(lease -> requireValidity(lease, Duration.ofMillis(1)));
        BooleanSupplier areValid = () -> leases.stream().allMatch(Lease::isValid);
        return of(jdbi, FencedSection.of(leases, takesRows), isolation, areValid, false);
    }

    /** Prepares a transaction with a token that comes without a lease. */
    public static FencedTransaction with(
            Jdbi jdbi, String resource, FencingToken token, boolean takesRows, TransactionIsolationLevel isolation) {
        FenceRow row = new FenceRow(resource, token, null);
        return of(jdbi, new FencedSection(List.of(row), takesRows), isolation, () -> true, false);
    }

    /** Refuses a lease that is over, was released, or has too little time left. */
    static void requireValidity(Lease lease, Duration needed) {
        Duration remaining = lease.remaining();
        if (remaining.compareTo(needed) < 0) {
            throw new InsufficientValidityException(lease.resource(), remaining, needed);
        }
    }

    /** Runs {@code body} on the thread's handle, or on one of its own; see the class. */
    @SuppressWarnings("NullAway") // what the body returned may be null, and is passed on as it is
    public <R extends @Nullable Object, X extends Exception> R run(FencedBody<R, X> body) throws X {
        for (int attempt = 1; ; attempt++) {
            AttemptFailedException failed;
            Handle[] used = new Handle[1];
            try {
                HandleCallback<R, X> once = handle -> {
                    used[0] = handle;
                    return runOnce(handle, body);
                };
                return given == null ? jdbi.withHandle(once) : once.withHandle(given);
            } catch (AttemptFailedException e) {
                failed = e;
            } catch (WriteNotAppliedException e) {
                if (e.target().table().equals(section.first().target().table())) {
                    tell(e.target(), e.outcome()); // of the fence row; statements tell of themselves
                }
                throw e;
            }
            if (failed.outcome().isApplied()) {
                @SuppressWarnings("unchecked")
                R result = (R) failed.result();
                return result;
            }
            // a handle of the caller's stays what it is, and a connection that was lost is not replaced in it
            boolean isOfCaller = used[0] != null && !used[0].isClosed();
            boolean again = failed.outcome() instanceof WriteOutcome.Retryable
                    && (failed.isConnectionLost() ? attempt < ATTEMPTS_AFTER_LOSS && !isOfCaller : repeatsRetryable)
                    && mayRepeat.getAsBoolean();
            if (!again || interruptedBefore(attempt + 1)) {
                tell(section.first().target(), failed.outcome());
                throw WriteNotAppliedException.of(
                        failed.outcome(), section.first().target(), failed.getCause());
            }
        }
    }

    private void tell(FencedTarget target, WriteOutcome outcome) {
        jdbi.getConfig(FencingConfig.class).tell(target, outcome);
    }

    private static boolean interruptedBefore(int attempt) {
        if (Pause.before(attempt)) {
            Thread.currentThread().interrupt();
            return true;
        }
        return false;
    }

    private <R extends @Nullable Object, X extends Exception> R runOnce(Handle handle, FencedBody<R, X> body) throws X {
        HandleTransactions transactions = FencingStatementBuilder.transactions(handle);
        TransactionOwner owner;
        try {
            owner = transactions.owner();
        } catch (SQLException e) {
            throw typed(handle, e);
        }
        return switch (owner) {
            case NOBODY -> begin(handle, transactions, body);
            case NOBODY_BUT_OPEN ->
                throw new IllegalStateException("Autocommit is off on this connection, and statements were "
                        + "run on it that nobody has committed. Fencing commits what it begins and nothing else: commit or roll back "
                        + "first, or let Fencing have a handle of its own.");
            default -> join(handle, transactions, body);
        };
    }

    /** In a transaction of our own. */
    @SuppressWarnings("NullAway") // see run
    private <R extends @Nullable Object, X extends Exception> R begin(
            Handle handle, HandleTransactions transactions, FencedBody<R, X> body) throws X {
        Connection connection = handle.getConnection();
        TransactionIsolationLevel before = null;
        R result;
        CommitAttempt commit;
        try {
            if (isolation != TransactionIsolationLevel.UNKNOWN) {
                before = handle.getTransactionIsolationLevel();
                handle.setTransactionIsolationLevel(isolation);
            }
            transactions.beginFenced(handle);
            commit = new CommitAttempt(jdbi, connection, section.enter(connection));
            transactions.enter(section);
            try {
                result = body.run(handle, section.first().token());
            } finally {
                transactions.leave(section);
            }
        } catch (Throwable t) {
            RuntimeException meaning = Failures.meaning(
                    connection, t, section.first().target()); // before the rollback, which makes everything well again
            rollback(handle, t);
            restore(handle, before);
            throw meaning != null ? meaning : sneak(t);
        }
        try {
            transactions.commitFenced(handle, commit);
        } catch (Throwable t) {
            throw t == commit.failure() ? afterCommit(commit, t) : sneak(t);
        } finally {
            restore(handle, before);
        }
        if (commit.isLost()) {
            throw new AttemptFailedException(new WriteOutcome.Applied(1), true, result, commit.failure());
        }
        return result;
    }

    /** What a commit that failed means. */
    private static RuntimeException afterCommit(CommitAttempt commit, Throwable t) {
        if (commit.fate() == Fate.UNKNOWN) {
            return new AttemptFailedException(new WriteOutcome.Unknown(Failures.stateOf(t)), true, null, t);
        } else if (commit.isLost() || Failures.isRetryable(t)) {
            return new AttemptFailedException(
                    new WriteOutcome.Retryable(Failures.stateOf(t)), commit.isLost(), null, t);
        }
        throw sneak(t);
    }

    /** In a transaction that is open already: its owner commits, and its fate is not ours to find out. */
    private <R extends @Nullable Object, X extends Exception> R join(
            Handle handle, HandleTransactions transactions, FencedBody<R, X> body) throws X {
        if (transactions.section() instanceof FencedSection outer && outer.isSameAs(section)) {
            return body.run(handle, section.first().token());
        }
        Connection connection = handle.getConnection();
        TransactionSettings before = null;
        try {
            requireIsolation(handle);
            // a section before this one may have failed, and its rollback to a savepoint may just be over
            transactions.restoreIfDue();
            before = TransactionSettings.read(connection);
            section.enter(connection);
            transactions.enter(section);
            R result;
            try {
                result = body.run(handle, section.first().token());
            } finally {
                transactions.leave(section);
            }
            if (DriverConnection.state(connection) == DriverConnection.State.FAILED) {
                throw new TransactionRolledBackException();
            }
            return result;
        } catch (Throwable t) {
            throw typed(handle, t);
        } finally {
            if (before != null) {
                restore(transactions, before);
            }
        }
    }

    /** What a failure means that cannot be followed by another attempt here. */
    private RuntimeException typed(Handle handle, Throwable t) {
        RuntimeException meaning =
                Failures.meaning(handle.getConnection(), t, section.first().target());
        if (meaning instanceof AttemptFailedException failed && !(t instanceof WriteNotAppliedException)) {
            return WriteNotAppliedException.of(failed.outcome(), section.first().target(), t);
        } else if (meaning == null || meaning instanceof AttemptFailedException) {
            throw sneak(t);
        }
        return meaning;
    }

    private void requireIsolation(Handle handle) {
        TransactionIsolationLevel level = handle.getTransactionIsolationLevel();
        if (isolation != TransactionIsolationLevel.UNKNOWN && isolation != level) {
            throw new IllegalStateException(
                    "A transaction of level " + level + " is open, so it cannot be continued with " + isolation
                            + ". Begin it with that level, or leave the beginning to Fencing.");
        }
        boolean sees = level == TransactionIsolationLevel.READ_COMMITTED
                || level == TransactionIsolationLevel.READ_UNCOMMITTED;
        if (section.takesRows() && !sees) {
            throw new IllegalStateException("The fence row of " + section.resources()
                    + " must be the first statement of a "
                    + level + " transaction, since what was read before may be out of date. Begin the transaction with "
                    + "Fencing.inTransaction, or use READ COMMITTED.");
        }
    }

    private static void restore(HandleTransactions transactions, TransactionSettings before) {
        try {
            transactions.restore(before::restore);
        } catch (SQLException e) {
            // the connection is gone, and the transaction with it
        }
    }

    private static void restore(Handle handle, @Nullable TransactionIsolationLevel before) {
        if (before != null && !DriverConnection.isLost(handle.getConnection())) {
            try {
                handle.setTransactionIsolationLevel(before);
            } catch (RuntimeException e) {
                // on a connection that was lost after the commit there is nothing to be put back
                if (!DriverConnection.isLost(handle.getConnection())) {
                    throw e;
                }
            }
        }
    }

    private static void rollback(Handle handle, Throwable reason) {
        try {
            handle.rollback();
        } catch (RuntimeException e) {
            reason.addSuppressed(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> RuntimeException sneak(Throwable t) throws X {
        throw (X) t;
    }
}
