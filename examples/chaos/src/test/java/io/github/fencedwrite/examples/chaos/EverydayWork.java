package io.github.fencedwrite.examples.chaos;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.LeaseRequest;
import io.github.fencedwrite.jdbi.Fencing;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Jdbi;

/** All that a client may do with leases, one after the other, each on a resource that was never seen before. */
final class EverydayWork {

    private static final Duration TTL = Duration.ofSeconds(5);
    private static final Duration SHORT_TTL = Duration.ofMillis(50);

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
        try (Lease lease = locks.acquire(resource, TTL, TTL)) {
            jdbi.useHandle(handle -> Fencing.fence(
                            handle.createUpdate("UPDATE counter SET value = value + 1 WHERE id = '0'"), lease)
                    .execute());
        }
    }

    private void inTransaction(String resource) {
        Fencing.of(jdbi)
                .withLocks(locks::acquire)
                .inLockedTransaction(
                        resource,
                        TTL,
                        TTL,
                        handle -> handle.execute("UPDATE item SET value = value + 1 WHERE id = '0'"));
    }

    private void renewed(String resource) {
        LeaseRequest request = LeaseRequest.of(resource, SHORT_TTL)
                .waitAtMost(TTL)
                .renewFor(Duration.ofSeconds(1))
                .onDanger(SHORT_TTL.dividedBy(2), lease -> {})
                .onLost(lease -> {});
        locks.acquire(request).close();
    }

    @SuppressWarnings("resource") // that is the point: it runs out by itself
    private void neverReleased(String resource) {
        locks.acquire(LeaseRequest.of(resource, SHORT_TTL).waitAtMost(TTL).onLost(lease -> {}));
    }

    private void refused(String resource) {
        try (Lease lease = locks.acquire(resource, TTL, TTL)) {
            if (lease.isValid() && locks.tryAcquire(resource, TTL).isPresent() && lease.isValid()) {
                throw new IllegalStateException("Two leases of " + resource);
            }
        }
    }

    private void cancelled(String resource) {
        locks.acquireAsync(LeaseRequest.of(resource, TTL)).cancel(true);
    }
}
