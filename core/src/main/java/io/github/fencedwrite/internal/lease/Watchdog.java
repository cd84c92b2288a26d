package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.internal.loop.Deadlines.Deadline;
import io.github.fencedwrite.internal.loop.Loop;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Renews a lease and watches its validity, for leases that asked for it.
 *
 * <ol>
 *   <li>A third of the ttl after the last success, or a little earlier together with others, the lease is extended. If too
 *       few nodes answer, or anything else goes wrong, that is repeated until the validity ends.
 *   <li>No extension reaches beyond the lifetime that was asked for. After a release or a loss nothing is extended again.
 *   <li>When the validity comes to its end, the loss is announced, at the latest then, whatever the nodes do. When less than
 *       the danger zone is left, so is that.
 * </ol>
 *
 * <p>Costs no thread: deadlines of the loop wake it. Used in steps of the loop only.
 */
final class Watchdog {

    /** A deadline is never early and often a little late; the loss is announced so much before the end. */
    private static final long LEAD = TimeUnit.MILLISECONDS.toNanos(2);

    private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(500);

    private final RedisLease lease;
    private final LeaseSpec spec;
    private final Loop loop;
    private final ListenerNotifier notifier;
    private final long ttlNanos;
    private final long lifetimeEnd;
    private @Nullable Deadline watch;
    private @Nullable Deadline renewal;
    private boolean stopped;
    private long warnedAbout;
    private boolean warned;

    Watchdog(RedisLease lease, LeaseSpec spec, Loop loop, ListenerNotifier notifier) {
        this.lease = lease;
        this.spec = spec;
        this.loop = loop;
        this.notifier = notifier;
        this.ttlNanos = TimeUnit.MILLISECONDS.toNanos(spec.ttlMillis());
        this.lifetimeEnd = loop.now() + spec.lifetimeNanos();
    }

    void start() {
        scheduleWatch();
        if (spec.lifetimeNanos() > 0) {
            scheduleRenewal(untilNextRenewal());
        }
    }

    /** After a release or a loss: for good. */
    void stop() {
        stopped = true;
        if (watch != null) {
            watch.cancel();
        }
        if (renewal != null) {
            renewal.cancel();
        }
    }

    /** The validity is watched still. */
    void stopRenewing() {
        if (renewal != null) {
            renewal.cancel();
        }
    }

    void lost() {
        stop();
        Consumer<Lease> callback = spec.onLost();
        if (callback != null) {
            notifier.call(callback, lease);
        }
    }

    private void scheduleRenewal(long delay) {
        if (!stopped) {
            renewal = loop.deadlines().at(loop.now() + delay, this::renew);
        }
    }

    /** Rounded down to a multiple of a 60th of the ttl, so that leases of one kind are renewed together. */
    private long untilNextRenewal() {
        long grid = Math.max(1, ttlNanos / 60);
        long latest = loop.now() + ttlNanos / 3;
        return ttlNanos / 3 - Math.floorMod(latest, grid);
    }

    /** Extends the lease unless it is too late, or would reach beyond the lifetime. */
    private void renew() {
        if (!stopped && loop.now() + ttlNanos - lifetimeEnd <= 0) {
            lease.extendInStep(this::renewed);
        }
    }

    private void renewed(boolean extended) {
        long pause = Math.min(Math.max(ttlNanos / 10, SHORTEST_PAUSE), LONGEST_PAUSE);
        scheduleRenewal(extended ? untilNextRenewal() : pause);
    }

    private void scheduleWatch() {
        if (!stopped) {
            long end = lease.validUntil() - LEAD;
            boolean toWarn = spec.onDanger() != null && !(warned && warnedAbout == lease.validUntil());
            watch = loop.deadlines().at(toWarn ? end - spec.dangerNanos() : end, this::look);
        }
    }

    private void look() {
        if (stopped) {
            return;
        }
        long until = lease.validUntil();
        long left = until - LEAD - loop.now();
        Consumer<Lease> callback = spec.onDanger();
        if (callback != null && left <= spec.dangerNanos() && !(warned && warnedAbout == until)) {
            warned = true;
            warnedAbout = until;
            notifier.call(callback, lease);
        }
        if (left <= 0) {
            lease.ranOut();
        } else {
            scheduleWatch();
        }
    }
}
