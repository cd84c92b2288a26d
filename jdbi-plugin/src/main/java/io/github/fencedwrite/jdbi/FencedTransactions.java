package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.LeaseRequest;
import io.github.fencedwrite.jdbi.internal.transaction.FencedTransaction;
import io.github.fencedwrite.jdbi.internal.transaction.LockedTransaction;
import java.time.Duration;
import java.util.List;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.HandleConsumer;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

/**
 * Transactions in which everything is fenced (level 3): only the newest holder of a resource can enter, and whatever the body
 * does there is fenced, be it inserts, deletes, batches, scripts, on any table. Made with {@link Fencing#of}; immutable and safe
 * for use by many threads, each method that configures it returns a changed copy.
 *
 * <p><b>Whose transaction.</b> What is begun here is committed here, also on a connection that comes with autocommit off. A
 * transaction that is already open on the thread's handle, begun through Jdbi ({@code @Transaction}, {@code inTransaction}) or
 * by Spring or a container, is joined: the fence row is entered there, and its owner commits. The body runs on the handle that
 * {@link Jdbi#withHandle} has for the thread, so that SQL Objects called in the body are part of it.
 *
 * <p><b>The body</b> neither commits nor rolls back; it returns to commit and throws to roll back. It may run again from the
 * start after a rollback, so it should change nothing but the database. What it registers with {@code handle.afterCommit} runs
 * once it is known that the transaction was committed, and decides nothing any more: what that throws is passed on.
 *
 * <p><b>Limits.</b> Within the transaction statements and waits for locks may take as long as the lease can last, and pauses
 * between statements as long as it is valid, so that a holder who stops does not block others for ever. Limits of the session
 * that are smaller stay.
 *
 * <p><b>A lost connection.</b> Lost before the commit, the body runs again. If the answer to the commit is lost, the server is
 * asked for up to ten seconds: committed returns the body's result, aborted runs the body again, anything else is
 * {@link UnknownOutcomeException}.
 *
 * <p>All methods that run a body throw, besides what the body throws:
 *
 * <ul>
 *   <li>{@link StaleTokenException} if a greater token was there
 *   <li>{@link InsufficientValidityException} if the lease was released, or is not valid for long enough
 *   <li>{@link RetryableWriteException} if the database gave up, and a repetition promises success
 *   <li>{@link UnknownOutcomeException} if nobody can tell whether it was committed
 *   <li>{@link TransactionRolledBackException} if the body caught an error that had ended the transaction
 *   <li>{@link ReadOnlyDatabaseException} if the server is a standby, or the session is read-only
 *   <li>{@link TableNotReadyException} if the fence table is not installed or the user may not use it
 *   <li>{@link IllegalStateException} if the body commits or rolls back, or statements were run before on a connection with
 *       autocommit off and nobody has committed them
 * </ul>
 */
public final class FencedTransactions {

    private final Jdbi jdbi;
    private final @Nullable LeaseSource locks;
    private final boolean fenceRow;
    private final TransactionIsolationLevel isolation;

    FencedTransactions(Jdbi jdbi) {
        this(jdbi, null, true, TransactionIsolationLevel.UNKNOWN);
    }

    private FencedTransactions(
            Jdbi jdbi, @Nullable LeaseSource locks, boolean fenceRow, TransactionIsolationLevel isolation) {
        this.jdbi = jdbi;
        this.locks = locks;
        this.fenceRow = fenceRow;
        this.isolation = isolation;
    }

    /** The same, with a source of leases for {@code inLockedTransaction}: {@code locks::acquire}. */
    public FencedTransactions withLocks(LeaseSource source) {
        return new FencedTransactions(jdbi, source, fenceRow, isolation);
    }

    /**
     * The same, without the fence row: for bodies whose statements all carry the token themselves (levels 1 and 2), on a
     * database without the migrations or where all writers of a table do it so. Locking, commit and retries are unchanged.
     */
    public FencedTransactions withoutFenceRow() {
        return new FencedTransactions(jdbi, locks, false, isolation);
    }

    /**
     * The same, with this isolation level where a transaction is begun. One that is open must have it already.
     *
     * @param level UNKNOWN for the level that the connection has, which is the default
     */
    public FencedTransactions withIsolation(TransactionIsolationLevel level) {
        return new FencedTransactions(jdbi, locks, fenceRow, level);
    }

    /**
     * Runs {@code body} in a transaction under a lease; see the class.
     *
     * @throws InsufficientValidityException if the lease is no longer valid
     * @throws X what the body throws
     */
    public <R extends @Nullable Object, X extends Exception> R inTransaction(Lease lease, HandleCallback<R, X> body)
            throws X {
        return inTransaction(lease, (handle, token) -> body.withHandle(handle));
    }

    /** As {@link #inTransaction(Lease, HandleCallback)}, for a body that stamps its rows. */
    public <R extends @Nullable Object, X extends Exception> R inTransaction(Lease lease, FencedBody<R, X> body)
            throws X {
        return FencedTransaction.under(jdbi, List.of(lease), fenceRow, isolation)
                .run(body);
    }

    /** As {@link #inTransaction(Lease, HandleCallback)}, for a body that returns nothing. */
    public <X extends Exception> void useTransaction(Lease lease, HandleConsumer<X> body) throws X {
        inTransaction(lease, body.asCallback());
    }

    /**
     * As {@link #inTransaction(Lease, HandleCallback)}, with a token from elsewhere; no timeouts are set.
     *
     * @param resource what the token stands for, 1 to 1,024 bytes
     */
    public <R extends @Nullable Object, X extends Exception> R inTransaction(
            String resource, FencingToken token, HandleCallback<R, X> body) throws X {
        return FencedTransaction.with(jdbi, resource, token, fenceRow, isolation)
                .run((handle, same) -> body.withHandle(handle));
    }

    /** As {@link #inTransaction(String, FencingToken, HandleCallback)}, for a body that returns nothing. */
    public <X extends Exception> void useTransaction(String resource, FencingToken token, HandleConsumer<X> body)
            throws X {
        inTransaction(resource, token, body.asCallback());
    }

    /**
     * Runs {@code body} in a transaction under several leases, whose fence rows are entered in the order of the list.
     * Transactions that enter the same resources in different orders may deadlock; {@code inLockedTransaction} sorts them.
     *
     * <p>No token is announced to the triggers of strictly enforced tables, since tokens of different resources cannot be
     * compared: write those by guarded statements, each with the lease of its row.
     *
     * @param leases one or more
     * @throws IllegalArgumentException if there is no lease
     * @throws X what the body throws
     */
    public <R extends @Nullable Object, X extends Exception> R inTransaction(
            List<Lease> leases, HandleCallback<R, X> body) throws X {
        return FencedTransaction.under(jdbi, leases, fenceRow, isolation)
                .run((handle, first) -> body.withHandle(handle));
    }

    /**
     * Acquires, begins, enters the fence row, runs the body, commits and releases, in this order: a lock that is released
     * before the commit lets the next holder read old data.
     *
     * <p>What the database calls retryable is repeated while a fifth of the ttl is left. See the class for the rest.
     *
     * @param resource what to lock
     * @param ttl how long the lock is kept if nobody releases it
     * @param waitAtMost upper bound of the wait for the lock, zero for one attempt
     * @throws IllegalStateException if a transaction is open on this thread already, which would be committed after the
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
        return inLockedTransaction(LeaseRequest.of(resource, ttl), waitAtMost, body);
    }

    /** As {@link #inLockedTransaction(String, Duration, Duration, HandleCallback)}, for a body that returns nothing. */
    public <X extends Exception> void useLockedTransaction(
            String resource, Duration ttl, Duration waitAtMost, HandleConsumer<X> body) throws X {
        inLockedTransaction(resource, ttl, waitAtMost, body.asCallback());
    }

    /**
     * As {@link #inLockedTransaction(String, Duration, Duration, HandleCallback)}, for a lease as the request says, for example
     * one that is renewed.
     */
    public <R extends @Nullable Object, X extends Exception> R inLockedTransaction(
            LeaseRequest request, Duration waitAtMost, FencedBody<R, X> body) throws X {
        return locked().run(List.of(request), waitAtMost, body);
    }

    /**
     * As {@link #inLockedTransaction(String, Duration, Duration, HandleCallback)}, for several resources at once, all or
     * none. Locks are taken, and fence rows entered, in the order of the names, whatever the order of the list: two callers
     * with the same resources cannot block each other. See {@link #inTransaction(List, HandleCallback)} for enforced tables.
     *
     * @param resources what to lock, one or more; names that occur twice count once
     * @param ttl of each lock; the first one's is running while the wait for the last goes on
     * @param waitAtMost upper bound of the wait for all of them
     * @throws IllegalArgumentException if there is no resource
     * @throws X what the body throws
     */
    public <R extends @Nullable Object, X extends Exception> R inLockedTransaction(
            List<String> resources, Duration ttl, Duration waitAtMost, HandleCallback<R, X> body) throws X {
        List<LeaseRequest> requests = resources.stream()
                .sorted()
                .distinct()
                .map(resource -> LeaseRequest.of(resource, ttl))
                .toList();
        return locked().run(requests, waitAtMost, (handle, first) -> body.withHandle(handle));
    }

    /** As {@link #inLockedTransaction(List, Duration, Duration, HandleCallback)}, for a body that returns nothing. */
    public <X extends Exception> void useLockedTransaction(
            List<String> resources, Duration ttl, Duration waitAtMost, HandleConsumer<X> body) throws X {
        inLockedTransaction(resources, ttl, waitAtMost, body.asCallback());
    }

    private LockedTransaction locked() {
        if (locks == null) {
            throw new IllegalStateException(
                    "No locks are known. Make this object with Fencing.of(jdbi).withLocks(locks::acquire).");
        }
        return new LockedTransaction(jdbi, locks, fenceRow, isolation);
    }
}
