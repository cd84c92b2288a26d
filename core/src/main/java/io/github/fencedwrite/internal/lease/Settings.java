package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.LeaseListener;
import io.github.fencedwrite.SeedMode;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the builder was told, checked.
 *
 * @param prefix of all keys, without a colon
 * @param timeoutNanos per node
 * @param driftFactor share of the ttl that clocks may differ in speed
 * @param driftNanos the same as a constant, on top
 * @param maxTtlMillis largest ttl of any client
 * @param seedMode where counters start
 * @param listener sees everything
 * @param callbacks runs the callbacks of leases, null for the client's own thread
 * @param label shown to people beside the owner id of what this client holds, may be empty
 * @param releaseOnClose whether closing the client releases the leases that it holds
 */
public record Settings(
        String prefix,
        long timeoutNanos,
        double driftFactor,
        long driftNanos,
        long maxTtlMillis,
        SeedMode seedMode,
        LeaseListener listener,
        @Nullable Executor callbacks,
        String label,
        boolean releaseOnClose) {

    long driftOf(long ttlMillis) {
        return (long) (TimeUnit.MILLISECONDS.toNanos(ttlMillis) * driftFactor) + driftNanos;
    }
}
