package io.github.fencedwrite.examples.servers;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for a server by asking it again and again, for a bounded time. */
final class Readiness {

    static final Duration LIMIT = Duration.ofSeconds(30);

    private static final long PAUSE_MILLIS = 10;

    private Readiness() {}

    /** Returns whether the condition came true within the limit. */
    static boolean await(BooleanSupplier condition, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            try {
                // between two looks at a server that is starting: there is nothing to be woken by
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ServersException("Interrupted while waiting for a server", e);
            }
        }
        return true;
    }
}
