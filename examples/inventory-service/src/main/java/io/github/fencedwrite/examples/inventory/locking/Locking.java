package io.github.fencedwrite.examples.inventory.locking;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.Leases;
import io.github.fencedwrite.jdbi.FencedBody;
import io.github.fencedwrite.jdbi.FencedTransactions;
import io.github.fencedwrite.jdbi.Fencing;
import io.github.fencedwrite.jdbi.StaleTokenException;
import io.github.fencedwrite.jdbi.TokenRegressionException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;

/**
 * Locks and fenced transactions as this service uses them: one ttl, one patience, one retry. Safe for use by many
 * threads.
 */
public final class Locking {

    private final FencedLocks locks;
    private final FencedTransactions fencing;
    private final Duration ttl;
    private final Duration waitAtMost;
    private final boolean repeatIfStale;

    /**
     * Creates the helper.
     *
     * @param jdbi with the SqlObjectPlugin and the FencingPlugin installed
     * @param ttl how long a lease lasts, longer than reading, approval and writing usually take
     * @param waitAtMost how long a request waits for another holder
     */
    public Locking(FencedLocks locks, Jdbi jdbi, Duration ttl, Duration waitAtMost) {
        this(locks, Fencing.of(jdbi).withLocks(locks::acquire), ttl, waitAtMost, true);
    }

    private Locking(
            FencedLocks locks, FencedTransactions fencing, Duration ttl, Duration waitAtMost, boolean repeatIfStale) {
        this.locks = locks;
        this.fencing = fencing;
        this.ttl = ttl;
        this.waitAtMost = waitAtMost;
        this.repeatIfStale = repeatIfStale;
    }

    /** The same without the retry, for callers that want to see each refusal. */
    public Locking withoutRetry() {
        return new Locking(locks, fencing, ttl, waitAtMost, false);
    }

    /**
     * Acquires a lease.
     *
     * @throws io.github.fencedwrite.LockNotAcquiredException if the lock cannot be acquired in time
     */
    public Lease acquire(String resource) {
        return locks.acquire(resource, ttl, waitAtMost);
    }

    /**
     * Level 3 in one call: acquires, begins, enters the fence row, runs the body, commits and releases, in this
     * order.
     */
    public <R> R inLockedTransaction(String resource, FencedBody<R, RuntimeException> body) {
        return fencing.inLockedTransaction(resource, ttl, waitAtMost, body);
    }

    /**
     * Acquires the leases of several resources, all or none.
     *
     * @throws io.github.fencedwrite.LockNotAcquiredException if one of the locks cannot be acquired in time
     */
    public Leases acquireAll(String... resources) {
        return locks.acquireAll(List.of(resources), ttl, waitAtMost);
    }

    /** Level 3 for several resources: enters all their fence rows, in the order of their names, and runs the body. */
    public <R> R inTransaction(Leases leases, HandleCallback<R, RuntimeException> body) {
        return fencing.inTransaction(leases.all(), body);
    }

    /**
     * The retry after a stale write. This is the one right place for it: around everything from the acquisition to
     * the commit. Whatever was read or decided under the old lease is worthless, so all of it is done again under a
     * new one; a repetition of the last statement alone would either be refused again or, worse, write an old
     * decision.
     *
     * <p>Once is enough: a second refusal means that this process is paused or overloaded, and the caller should know.
     *
     * @param work acquires its lease itself and changes nothing but the database
     * @throws StaleTokenException if the second attempt was refused, too; nothing was written
     */
    public <R> R repeatOnceIfStale(Supplier<R> work) {
        try {
            return work.get();
        } catch (StaleTokenException | TokenRegressionException refused) {
            if (!repeatIfStale) {
                throw refused;
            }
            return work.get();
        }
    }
}
