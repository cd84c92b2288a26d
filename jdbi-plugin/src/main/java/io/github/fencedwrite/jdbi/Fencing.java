package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.internal.postgres.Inspection;
import io.github.fencedwrite.jdbi.internal.statement.PresentedToken;
import io.github.fencedwrite.jdbi.internal.transaction.FenceRow;
import io.github.fencedwrite.jdbi.internal.transaction.FencedTransaction;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/**
 * Fenced transactions, and the fluent form of guarded statements.
 *
 * <p>The static methods guard single statements (levels 1 and 2). An instance, made once with {@link #of(Jdbi)}, runs
 * transactions in which everything is fenced (level 3); it is immutable and safe for use by many threads.
 *
 * <p>A transaction uses the handle that {@link Jdbi#withHandle} has for the thread, so that SQL Objects called in the body are
 * part of it.
 */
public final class Fencing {

    private final Jdbi jdbi;
    private final @Nullable LeaseSource locks;
    private final boolean fenceRow;

    private Fencing(Jdbi jdbi, @Nullable LeaseSource locks, boolean fenceRow) {
        this.jdbi = jdbi;
        this.locks = locks;
        this.fenceRow = fenceRow;
    }

    /** Transactions on {@code jdbi}, on which the {@link FencingPlugin} is installed. */
    public static Fencing of(Jdbi jdbi) {
        return new Fencing(jdbi, null, true);
    }

    /** The same, with a source of leases for {@link #inLockedTransaction}: {@code locks::acquire}. */
    public Fencing withLocks(LeaseSource source) {
        return new Fencing(jdbi, source, fenceRow);
    }

    /**
     * The same, without the fence row: for bodies whose statements all carry the token themselves (levels 1 and 2), on a
     * database without the migrations or where all writers of a table do it so. Lock, commit and retries are as ever.
     */
    public Fencing withoutFenceRow() {
        return new Fencing(jdbi, locks, false);
    }

    /**
     * Runs {@code body} in a transaction that only the newest holder of the lease's resource can enter. Whatever it does
     * there is fenced: inserts, deletes, batches, scripts, any table.
     *
     * <p>The resource's fence row stays locked until the commit. Timeouts of the transaction (lock, statement, idle) are set
     * to the validity that is left, so that a holder who stops does not block others for ever. If the connection is lost, the
     * fate of the transaction is asked from the database: committed returns the body's result, aborted runs the body again.
     *
     * <p>Inside a transaction that is already open on this thread's handle, the row is entered there and the owner of the
     * transaction commits; that is refused in REPEATABLE READ and SERIALIZABLE.
     *
     * @throws StaleTokenException if a greater token was there
     * @throws InsufficientValidityException if the lease is no longer valid
     * @throws RetryableWriteException if the database gave up and asks for a repetition
     * @throws UnknownOutcomeException if the connection was lost at commit and the database does not know any more
     * @throws X what the body throws
     */
    public <R extends @Nullable Object, X extends Exception> R inTransaction(Lease lease, HandleCallback<R, X> body)
            throws X {
        return inTransaction(lease, (handle, token) -> body.withHandle(handle));
    }

    /** As {@link #inTransaction(Lease, HandleCallback)}, for a body that stamps its rows. */
    public <R extends @Nullable Object, X extends Exception> R inTransaction(Lease lease, FencedBody<R, X> body)
            throws X {
        requireValidity(lease, Duration.ofMillis(1));
        FenceRow row = new FenceRow(lease.resource(), lease.token(), lease);
        return new FencedTransaction(jdbi, row, fenceRow, lease::isValid, false).run(body);
    }

    /**
     * As {@link #inTransaction(Lease, HandleCallback)}, with a token from elsewhere; no timeouts are set.
     *
     * @param resource what the token stands for, 1 to 1,024 bytes
     */
    public <R extends @Nullable Object, X extends Exception> R inTransaction(
            String resource, FencingToken token, HandleCallback<R, X> body) throws X {
        FenceRow row = new FenceRow(resource, token, null);
        return new FencedTransaction(jdbi, row, fenceRow, () -> true, false)
                .run((handle, t) -> body.withHandle(handle));
    }

    /**
     * Acquires, begins, enters the fence row, runs the body, commits and releases, in this order: a lock that is released
     * before the commit lets the next holder read old data.
     *
     * <p>What the database calls retryable is repeated while a fifth of the ttl is left. See
     * {@link #inTransaction(Lease, HandleCallback)} for the rest.
     *
     * @param resource what to lock
     * @param ttl how long the lock is kept if nobody releases it
     * @param waitAtMost upper bound of the wait for the lock, zero for one attempt
     * @throws IllegalStateException if this thread's handle is in a transaction already, which would be committed after the
     *     release; or if no locks were given to {@link #withLocks}
     * @throws InsufficientValidityException if too little validity is left to begin
     * @throws X what the body throws
     */
    public <R extends @Nullable Object, X extends Exception> R inLockedTransaction(
            String resource, Duration ttl, Duration waitAtMost, HandleCallback<R, X> body) throws X {
        return inLockedTransaction(resource, ttl, waitAtMost, (handle, token) -> body.withHandle(handle));
    }

    /** As {@link #inLockedTransaction(String, Duration, Duration, HandleCallback)}, for a body that stamps its rows. */
    public <R extends @Nullable Object, X extends Exception> R inLockedTransaction(
            String resource, Duration ttl, Duration waitAtMost, FencedBody<R, X> body) throws X {
        if (locks == null) {
            throw new IllegalStateException(
                    "No locks are known. Make this object with Fencing.of(jdbi).withLocks(locks::acquire).");
        }
        if (FencedTransaction.isOpenOnThisThread(jdbi)) {
            throw new IllegalStateException(
                    "A transaction is open on this thread's handle. It would be committed after the lock " + "on \""
                            + resource
                            + "\" is released, and the next holder would read old data. Acquire first, begin then.");
        }
        try (Lease lease = locks.acquire(resource, ttl, waitAtMost)) {
            Duration needed = ttl.dividedBy(5);
            requireValidity(lease, needed);
            FenceRow row = new FenceRow(resource, lease.token(), lease);
            return new FencedTransaction(
                            jdbi, row, fenceRow, () -> lease.remaining().compareTo(needed) >= 0, true)
                    .run(body);
        }
    }

    /**
     * Looks at a fenced table before the first write, with the migrations' own function where they are installed.
     *
     * @param table as it is written in SQL
     * @param column the token column
     * @return what is to be known, errors and all; empty if all is well
     */
    public List<TableFinding> inspect(String table, String column) {
        return jdbi.withHandle(handle -> Inspection.of(handle, table, column));
    }

    /**
     * Begins the description of a guarding scope, for code that cannot take a token.
     *
     * @param lease whose token the statements will carry
     */
    public GuardingScope guarding(Lease lease) {
        return new GuardingScope(jdbi, PresentedToken.of(lease));
    }

    /** As {@link #guarding(Lease)}, with a token from elsewhere. */
    public GuardingScope guarding(FencingToken token) {
        return new GuardingScope(jdbi, PresentedToken.of(token));
    }

    private static void requireValidity(Lease lease, Duration needed) {
        Duration remaining = lease.remaining();
        if (remaining.compareTo(needed) < 0) {
            throw new InsufficientValidityException(lease.resource(), remaining, needed);
        }
    }

    /**
     * Repeats a guarded write in autocommit (level 1) while its fate is unknown or the database asks for it. That is safe,
     * since one token writes a row once: if the lost attempt was committed after all, the next one finds its own token there.
     *
     * @param attempts upper bound, 1 or more
     * @param write one and the same statement with the same token, on a connection of its own each time; what it throws is
     *     taken as the outcome
     * @return the last outcome; a row that an earlier attempt of this call has written counts as applied
     * @throws IllegalArgumentException if {@code attempts} is below 1
     */
    public static WriteOutcome repeat(int attempts, Supplier<WriteOutcome> write) {
        if (attempts < 1) {
            throw new IllegalArgumentException("At least one attempt is needed, not " + attempts + ".");
        }
        boolean maybeWritten = false;
        for (int attempt = 1; ; attempt++) {
            WriteOutcome outcome;
            try {
                outcome = write.get();
            } catch (WriteNotAppliedException e) {
                outcome = e.outcome();
            }
            if (outcome instanceof WriteOutcome.AlreadyWritten && maybeWritten) {
                return new WriteOutcome.Applied(1);
            }
            maybeWritten |= outcome instanceof WriteOutcome.Unknown;
            boolean again = outcome instanceof WriteOutcome.Unknown || outcome instanceof WriteOutcome.Retryable;
            if (!again || attempt == attempts) {
                return outcome;
            }
        }
    }

    /**
     * Guards an update.
     *
     * @param update one that was not executed yet; parameters may be bound before or afterwards
     * @param token the token of the lease
     * @return the guarded statement, to be executed with {@link FencedUpdate#execute()}
     */
    public static FencedUpdate fence(Update update, FencingToken token) {
        return new FencedUpdate(update, PresentedToken.of(token));
    }

    /** As {@link #fence(Update, FencingToken)}, with the token of {@code lease}; messages then tell of the lease too. */
    public static FencedUpdate fence(Update update, Lease lease) {
        return new FencedUpdate(update, PresentedToken.of(lease));
    }

    /**
     * Guards a batch.
     *
     * @param batch one that was not executed yet; rows may be added before or afterwards
     * @param token the token of the lease, for all rows
     * @return the guarded batch, to be executed with {@link FencedBatch#execute()}
     */
    public static FencedBatch fence(PreparedBatch batch, FencingToken token) {
        return new FencedBatch(batch, PresentedToken.of(token));
    }

    /** As {@link #fence(PreparedBatch, FencingToken)}, with the token of {@code lease}. */
    public static FencedBatch fence(PreparedBatch batch, Lease lease) {
        return new FencedBatch(batch, PresentedToken.of(lease));
    }

    /**
     * Guards a statement with RETURNING.
     *
     * @param query one that was not executed yet
     * @param token the token of the lease
     * @return the guarded statement, whose {@link FencedQuery#query()} is mapped and read as usual
     */
    public static FencedQuery fence(Query query, FencingToken token) {
        return FencedQuery.write(query, PresentedToken.of(token));
    }

    /** As {@link #fence(Query, FencingToken)}, with the token of {@code lease}. */
    public static FencedQuery fence(Query query, Lease lease) {
        return FencedQuery.write(query, PresentedToken.of(lease));
    }

    /**
     * Turns a SELECT into a claim: see {@link Claim}. Of one row; of several with {@code rows(Rows.MANY)}, and then it ends in
     * ORDER BY and needs a transaction.
     *
     * @param query one that was not executed yet
     * @param token the token of the lease
     * @return the claim, whose {@link FencedQuery#query()} is mapped and read as usual
     */
    public static FencedQuery claim(Query query, FencingToken token) {
        return FencedQuery.claim(query, PresentedToken.of(token));
    }

    /** As {@link #claim(Query, FencingToken)}, with the token of {@code lease}. */
    public static FencedQuery claim(Query query, Lease lease) {
        return FencedQuery.claim(query, PresentedToken.of(lease));
    }

    /**
     * Begins a guarded statement on one row that needs no SQL text.
     *
     * @param table as it is written in SQL, with its schema if need be
     */
    public static RowWrite row(String table) {
        return new RowWrite(table);
    }
}
