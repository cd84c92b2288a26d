package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.Lease;
import java.time.Duration;

/** Where leases come from; {@code locks::acquire} of {@link io.github.fencedwrite.FencedLocks} is one. */
@FunctionalInterface
public interface LeaseSource {

    /**
     * Acquires a lease that is valid now, or throws.
     *
     * @param resource what to lock
     * @param ttl how long the lock is kept if nobody releases it
     * @param waitAtMost upper bound of the wait, zero for one attempt
     */
    Lease acquire(String resource, Duration ttl, Duration waitAtMost);
}
