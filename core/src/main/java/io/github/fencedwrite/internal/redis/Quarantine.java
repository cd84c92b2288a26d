package io.github.fencedwrite.internal.redis;

import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.NodeFailure.Reason;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a restarted node from voting until every lock that it may have forgotten has run out. Two clocks are asked, since
 * the server's uptime is wall clock and may jump: the uptime it told, and the time since this client saw its run id change.
 */
final class Quarantine {

    private static final long SLACK_MILLIS = 1_000;

    private final long millis;
    private final LongSupplier nanoTime;
    private @Nullable String runId;
    private long until;
    private boolean isStranger;
    private long strangerUntil;

    /** A quarantine of {@code millis} and a second; 0 switches it off. */
    Quarantine(long millis) {
        this(millis, System::nanoTime);
    }

    /** With this client's monotonic clock. */
    Quarantine(long millis, LongSupplier nanoTime) {
        this.millis = millis;
        this.nanoTime = nanoTime;
        this.until = nanoTime.getAsLong();
    }

    /** A connection was opened to this server. */
    synchronized void seen(ServerInfo server) {
        if (millis == 0) {
            return;
        }
        // below 0 where the server's clock was set back since it started
        long upMillis = TimeUnit.SECONDS.toMillis(Math.max(0, server.uptimeSeconds()));
        long left = millis + SLACK_MILLIS - upMillis;
        if (runId != null && !runId.equals(server.runId())) {
            left = Math.max(left, millis);
        }
        runId = server.runId();
        long end = nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(Math.max(0, left));
        if (end - until > 0) {
            until = end;
        }
    }

    /** Another node tells of a change of the server behind this name: it is {@code other} now, out for {@code leftMillis}. */
    synchronized void changed(String other, long leftMillis) {
        if (millis == 0) {
            return;
        }
        runId = other;
        long end = nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(Math.max(0, leftMillis));
        if (end - until > 0) {
            until = end;
        }
    }

    /**
     * The server knows nothing of its clients although another node does, so it has lost locks however long it has been up.
     *
     * @return whether that is news
     */
    synchronized boolean stranger() {
        if (millis == 0 || isStranger) {
            return false;
        }
        isStranger = true;
        strangerUntil = nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(millis + SLACK_MILLIS);
        return true;
    }

    /** The server knows its clients: it always did, or somebody has waited for long enough and told it. */
    synchronized void endOfStranger() {
        isStranger = false;
    }

    /** Whether it is or was out since it knew nothing of its clients, and still does not know them. */
    synchronized boolean wasStranger() {
        return isStranger;
    }

    /** Whether it is out since it knows nothing of its clients. */
    synchronized boolean isStranger() {
        return isStranger && strangerUntil - nanoTime.getAsLong() > 0;
    }

    /** Nanoseconds until the node votes again, 0 if it does. */
    synchronized long remainingNanos() {
        long now = nanoTime.getAsLong();
        long left = Math.max(0, until - now);
        return isStranger ? Math.max(left, strangerUntil - now) : left;
    }

    /** The reason for not voting, or null. */
    @Nullable NodeFailure check() {
        if (millis == 0) {
            return null;
        }
        long left = remainingNanos();
        return left == 0
                ? null
                : new NodeFailure(
                        Reason.QUARANTINED,
                        (wasStranger()
                                        ? "knows nothing of its clients, so it was replaced or flushed and has lost"
                                                + " locks"
                                        : "restarted lately and may have forgotten locks")
                                + "; votes again in "
                                + (TimeUnit.NANOSECONDS.toMillis(left) + 1) + " ms");
    }
}
