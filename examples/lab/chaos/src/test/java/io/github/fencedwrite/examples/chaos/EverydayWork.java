package io.github.fencedwrite.examples.chaos;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.LeaseRequest;
import io.github.fencedwrite.LockNotAcquiredException;
import io.github.fencedwrite.jdbi.Fencing;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Jdbi;

/** All that a client may do with leases, one after the other, each on a resource that was never seen before. */
final class EverydayWork {

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration SHORT_TTL = Duration.ofMillis(500);
    /** Long, since this is no test of speed. */
    private static final Duration WAIT = Duration.ofMinutes(1);

    private final FencedLocks locks;
    private final Jdbi jdbi;
    private final AtomicInteger count;

    EverydayWork(FencedLocks locks, Jdbi jdbi, AtomicInteger count) {
        this.locks = locks;
        this.jdbi = jdbi;
        this.count = count;
    }

    void once() {
        int number = count.incrementAndGet();
        String resource = "leak:" + number;
        switch (number % 10) {
            case 0 -> renewed(resource);
            case 1 -> neverReleased(resource);
            case 2 -> refused(resource);
            case 3 -> cancelled(resource);
            case 4 -> inTransaction(resource);
            default -> written(resource);
        }
    }

    private void written(String resource) {
        try (Lease lease = locks.acquire(resource, TTL, WAIT)) {
            jdbi.useHandle(handle ->
                    Fencing.row("counter").key("id", resource).set("value", 1).insert(handle, lease));
        }
    }

    private void inTransaction(String resource) {
        Fencing.of(jdbi)
                .withLocks(locks::acquire)
                .inLockedTransaction(
                        resource,
                        TTL,
                        WAIT,
                        handle -> handle.execute("UPDATE item SET value = value + 1 WHERE id = '0'"));
    }

    private void renewed(String resource) {
        LeaseRequest request = LeaseRequest.of(resource, SHORT_TTL)
                .renewFor(TTL)
                .onExpiring(SHORT_TTL.dividedBy(2), lease -> {})
                .onLost(lease -> {});
        locks.acquire(request, WAIT).close();
    }

    @SuppressWarnings("resource") // that is the point: it runs out by itself
    private void neverReleased(String resource) {
        locks.acquire(LeaseRequest.of(resource, SHORT_TTL).onLost(lease -> {}), WAIT);
    }

    private void refused(String resource) {
        try (Lease lease = locks.acquire(resource, TTL, WAIT)) {
            if (locks.tryAcquire(resource, TTL).isPresent() && lease.isValid()) {
                throw new IllegalStateException("Two leases of " + resource);
            }
        } catch (LockNotAcquiredException e) {
            // a slow machine: that it could not be told is an answer, too
        }
    }

    private void cancelled(String resource) {
        locks.acquireAsync(LeaseRequest.of(resource, TTL), Duration.ZERO).cancel(true);
    }
}
