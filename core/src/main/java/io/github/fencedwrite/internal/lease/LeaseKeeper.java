package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.internal.redis.Background;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
 * <p>Costs no thread: timers of the client wake it. Safe for use by many threads.
 */
final class LeaseKeeper {

    private static final Logger log = LoggerFactory.getLogger(LeaseKeeper.class);
    /** A timer is never early and often a little late; the loss is announced so much before the end. */
    private static final long LEAD = TimeUnit.MILLISECONDS.toNanos(2);

    private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(500);

    private final RedisLease lease;
    private final LeaseSpec spec;
    private final Background background;
    private final Renewals renewals;
    private final Announcer announcer;
    private final long ttlNanos;
    private final long lifetimeEnd;
    private @Nullable Future<?> watch;
    private @Nullable Future<?> renewal;
    private boolean stopped;
    private long warnedAbout;
    private boolean warned;

    LeaseKeeper(RedisLease lease, LeaseSpec spec, Background background, Renewals renewals, Announcer announcer) {
        this.lease = lease;
        this.spec = spec;
        this.background = background;
        this.renewals = renewals;
        this.announcer = announcer;
        this.ttlNanos = TimeUnit.MILLISECONDS.toNanos(spec.ttlMillis());
        this.lifetimeEnd = System.nanoTime() + spec.lifetimeNanos();
    }

    synchronized void start() {
        scheduleWatch();
        if (spec.lifetimeNanos() > 0) {
            scheduleRenewal(untilNextRenewal());
        }
    }

    /** After a release or a loss: for good. */
    synchronized void stop() {
        stopped = true;
        if (watch != null) {
            watch.cancel(false);
        }
        if (renewal != null) {
            renewal.cancel(false);
        }
    }

    void lost() {
        stop();
        Consumer<Lease> callback = spec.onLost();
        if (callback != null) {
            announcer.call(callback, lease);
        }
    }

    private void scheduleRenewal(long delay) {
        if (!stopped) {
            renewal = background.later(delay, () -> renewals.add(this));
        }
    }

    /** Rounded down to a multiple of a 60th of the ttl, so that leases of one kind are renewed together. */
    private long untilNextRenewal() {
        long grid = Math.max(1, ttlNanos / 60);
        long latest = System.nanoTime() + ttlNanos / 3;
        return ttlNanos / 3 - Math.floorMod(latest, grid);
    }

    RedisLease lease() {
        return lease;
    }

    /** Whether the lease is to be extended now: not after its end, and not beyond its lifetime. */
    synchronized boolean isDue() {
        return !stopped && System.nanoTime() + ttlNanos - lifetimeEnd <= 0;
    }

    /** The lease was extended or, for whatever reason, was not. */
    synchronized void renewed(boolean extended) {
        long pause = Math.min(Math.max(ttlNanos / 10, SHORTEST_PAUSE), LONGEST_PAUSE);
        scheduleRenewal(extended ? untilNextRenewal() : pause);
    }

    private void scheduleWatch() {
        if (!stopped) {
            long left = lease.validUntil() - LEAD - System.nanoTime();
            boolean toWarn = spec.onDanger() != null && !(warned && warnedAbout == lease.validUntil());
            watch = background.later(toWarn ? left - spec.dangerNanos() : left, this::look);
        }
    }

    /** Runs on the timer's thread: only the announcer's executor may block. */
    private void look() {
        boolean over;
        synchronized (this) {
            if (stopped) {
                return;
            }
            long until = lease.validUntil();
            long left = until - LEAD - System.nanoTime();
            over = left <= 0;
            Consumer<Lease> callback = spec.onDanger();
            if (callback != null && left <= spec.dangerNanos() && !(warned && warnedAbout == until)) {
                warned = true;
                warnedAbout = until;
                announcer.call(callback, lease);
            }
            if (!over) {
                scheduleWatch();
            }
        }
        if (over) {
            lease.ranOut();
        }
    }
}
