package io.github.fencedwrite.jdbi.internal.transaction;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.LeaseRequest;
import io.github.fencedwrite.jdbi.FencedBody;
import io.github.fencedwrite.jdbi.LeaseSource;
import io.github.fencedwrite.jdbi.internal.ownership.TransactionOwner;
import io.github.fencedwrite.jdbi.internal.statement.FencingStatementBuilder;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.TransactionException;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

/** Acquires, runs a fenced transaction, and releases after its commit. */
public final class LockedTransaction {

    private final Jdbi jdbi;
    private final LeaseSource locks;
    private final boolean takesRows;
    private final TransactionIsolationLevel isolation;
    private final @Nullable Handle given;

    /** Prepares one; see {@link FencedTransaction} for the parameters. */
    public LockedTransaction(Jdbi jdbi, LeaseSource locks, boolean takesRows, TransactionIsolationLevel isolation) {
        this(jdbi, locks, takesRows, isolation, null);
    }

    private LockedTransaction(
            Jdbi jdbi,
            LeaseSource locks,
            boolean takesRows,
            TransactionIsolationLevel isolation,
            @Nullable Handle given) {
        this.jdbi = jdbi;
        this.locks = locks;
        this.takesRows = takesRows;
        this.isolation = isolation;
        this.given = given;
    }

    /** The same on a handle of the caller's, instead of the thread's. */
    LockedTransaction on(Handle handle) {
        return new LockedTransaction(jdbi, locks, takesRows, isolation, handle);
    }

    /**
     * Acquires in the order of the requests, and runs {@code body}.
     *
     * @param requests one or more, of different resources
     * @param waitAtMost for all of them
     */
    public <R extends @Nullable Object, X extends Exception> R run(
            List<LeaseRequest> requests, Duration waitAtMost, FencedBody<R, X> body) throws X {
        if (requests.isEmpty()) {
            throw new IllegalArgumentException("There is nothing to lock: the list of resources is empty.");
        }
        refuseInTransaction(requests);
        try (Leases leases = new Leases()) {
            leases.acquire(locks, requests, waitAtMost);
            leases.requireEnough();
            return FencedTransaction.of(
                            jdbi, FencedSection.of(leases.all(), takesRows), isolation, leases::areEnough, true)
                    .on(given)
                    .run(body);
        }
    }

    private void refuseInTransaction(List<LeaseRequest> requests) {
        TransactionOwner owner = owner();
        if (owner != TransactionOwner.NOBODY) {
            String whose =
                    switch (owner) {
                        case SPRING -> "a transaction of Spring is open on this thread";
                        case CONTAINER -> "a transaction of the container is open on this connection";
                        case NOBODY_BUT_OPEN ->
                            "autocommit is off on this thread's handle, and statements were run that nobody has committed";
                        default -> "a transaction is open on this thread's handle";
                    };
            throw new IllegalStateException("The lock on \"" + requests.get(0).resource()
                    + "\" was not asked for: " + whose
                    + ". It would be committed after the lock is released, and the next "
                    + "holder would read old data. Acquire first, begin then.");
        }
    }

    private TransactionOwner owner() {
        try {
            return given != null
                    ? FencingStatementBuilder.transactions(given).owner()
                    : jdbi.withHandle(handle ->
                            FencingStatementBuilder.transactions(handle).owner());
        } catch (SQLException e) {
            throw new TransactionException("Nothing was locked, since the connection cannot be used", e);
        }
    }

    /** Leases that are held together. */
    private static final class Leases implements AutoCloseable {

        private final Deque<Lease> held = new ArrayDeque<>();
        private Duration needed = Duration.ZERO;

        void acquire(LeaseSource locks, List<LeaseRequest> requests, Duration waitAtMost) {
            long begin = System.nanoTime();
            for (LeaseRequest request : requests) {
                Duration left = held.isEmpty() ? waitAtMost : waitAtMost.minusNanos(System.nanoTime() - begin);
                held.addLast(locks.acquire(request, left.isNegative() ? Duration.ZERO : left));
                Duration fifth = request.ttl().dividedBy(5);
                needed = fifth.compareTo(needed) > 0 ? fifth : needed;
            }
        }

        List<Lease> all() {
            return new ArrayList<>(held);
        }

        void requireEnough() {
            held.forEach(lease -> FencedTransaction.requireValidity(lease, needed));
        }

        boolean areEnough() {
            return held.stream().allMatch(lease -> lease.remaining().compareTo(needed) >= 0);
        }

        @Override
        public void close() {
            while (!held.isEmpty()) {
                held.removeLast().close();
            }
        }
    }
}
