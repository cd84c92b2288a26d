package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.Lease;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request whose ranges were checked.
 *
 * @param resource what to lock
 * @param ttlMillis how long the nodes keep it
 * @param waitNanos 0 for exactly one attempt, else an upper bound
 * @param lifetimeNanos how long to renew, 0 for not at all
 * @param onLost told once when the lease is lost
 * @param dangerNanos remaining validity below which {@code onDanger} is told
 * @param onDanger told when little validity is left
 */
public record LeaseSpec(
        String resource,
        long ttlMillis,
        long waitNanos,
        long lifetimeNanos,
        @Nullable Consumer<Lease> onLost,
        long dangerNanos,
        @Nullable Consumer<Lease> onDanger) {

    /** The same with another wait. */
    LeaseSpec waiting(long nanos) {
        return new LeaseSpec(resource, ttlMillis, nanos, lifetimeNanos, onLost, dangerNanos, onDanger);
    }

    boolean needsWatchdog() {
        return lifetimeNanos > 0 || onLost != null || onDanger != null;
    }
}
