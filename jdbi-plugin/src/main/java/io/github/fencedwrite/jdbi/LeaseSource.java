package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.LeaseRequest;
import java.time.Duration;

/** Where leases come from; {@code locks::acquire} of {@link io.github.fencedwrite.FencedLocks} is one. Safe for many threads. */
@FunctionalInterface
public interface LeaseSource {

    /**
     * Acquires a lease that is valid now, or throws.
     *
     * @param request what to lock, and for how long
     * @param waitAtMost upper bound of the wait, zero for one attempt
     */
    Lease acquire(LeaseRequest request, Duration waitAtMost);
}
