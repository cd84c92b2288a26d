package io.github.fencedwrite.internal.redis;

import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.NodeFailure.Reason;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a restarted node from voting until every lock that it may have forgotten has run out. Two clocks are asked, since
 * the server's uptime is wall clock and may jump: the uptime it told, and the time since this client saw its run id change.
 */
final class Quarantine {

    private static final long SLACK_MILLIS = 1_000;

    private final long millis;
    private @Nullable String runId;
    private long until;
    private boolean active;

    /** A quarantine of {@code millis} and a second; 0 switches it off. */
    Quarantine(long millis) {
        this.millis = millis;
    }

    /** A connection was opened to this server. */
    synchronized void seen(ServerInfo server) {
        if (millis == 0) {
            return;
        }
        long now = System.nanoTime();
        long left = millis + SLACK_MILLIS - TimeUnit.SECONDS.toMillis(server.uptimeSeconds());
        if (runId != null && !runId.equals(server.runId())) {
            left = Math.max(left, millis);
        }
        runId = server.runId();
        long end = now + TimeUnit.MILLISECONDS.toNanos(left);
        if (left > 0 && (!active || end - until > 0)) {
            active = true;
            until = end;
        }
    }

    /** Nanoseconds until the node votes again, 0 if it does. */
    synchronized long remainingNanos() {
        if (active && until - System.nanoTime() <= 0) {
            active = false;
        }
        return active ? until - System.nanoTime() : 0;
    }

    /** The reason for not voting, or null. */
    @Nullable NodeFailure check() {
        if (millis == 0) {
            return null;
        }
        long left = remainingNanos();
        return left <= 0
                ? null
                : new NodeFailure(
                        Reason.QUARANTINED,
                        "restarted lately and may have forgotten locks; votes again in "
                                + (TimeUnit.NANOSECONDS.toMillis(left) + 1) + " ms");
    }
}
