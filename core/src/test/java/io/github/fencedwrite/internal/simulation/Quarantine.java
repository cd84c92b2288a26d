package io.github.fencedwrite.internal.simulation;

import java.util.concurrent.TimeUnit;

/** What one client knows of the restarts of one node, by the rule of the client for real nodes. */
final class Quarantine {

    private final long millis;
    private int run;
    private long until = Long.MIN_VALUE;

    /** A quarantine of {@code millis} and a second; 0 switches it off. */
    Quarantine(long millis) {
        this.millis = millis;
    }

    /** A connection was opened; {@code now} is the client's monotonic clock. */
    void seen(int runSeen, long uptimeSeconds, long now) {
        if (millis == 0) {
            return;
        }
        long left = millis + 1_000 - TimeUnit.SECONDS.toMillis(uptimeSeconds);
        if (run != 0 && run != runSeen) {
            left = Math.max(left, millis);
        }
        run = runSeen;
        if (left > 0) {
            until = Math.max(until, now + TimeUnit.MILLISECONDS.toNanos(left));
        }
    }

    boolean isActive(long now) {
        return now < until;
    }
}
