package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.LockNotAcquiredException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Waits on the caller's own thread. Safe for use by many threads. */
final class Waiting {

    private final WaitQueue queue;
    private final LeasesInHand leases;
    private final Refusals refusals;

    Waiting(WaitQueue queue, LeasesInHand leases, Refusals refusals) {
        this.queue = queue;
        this.leases = leases;
        this.refusals = refusals;
    }

    /**
     * Sees an acquisition through.
     *
     * @throws LockNotAcquiredException if it fails, the wait is over or the thread is interrupted
     */
    RedisLease acquire(Acquisition acquisition) {
        if (!acquisition.waits()) {
            RedisLease lease = acquisition.attempt();
            if (lease == null) {
                throw new IllegalStateException("An attempt without a wait neither succeeded nor failed");
            }
            return lease;
        }
        Semaphore signals = new Semaphore(0);
        String resource = acquisition.spec().resource();
        WaitQueue.Turn turn = queue.enter(resource, signals::release);
        try {
            while (true) {
                signals.drainPermits();
                if (turn.isFirst() && (!leases.holds(resource) || turn.takeHint())) {
                    RedisLease lease = acquisition.attempt();
                    if (lease != null) {
                        return lease;
                    }
                    turn.refused(acquisition.lastRefusal());
                }
                long left = acquisition.left();
                if (left <= 0) {
                    throw acquisition.timedOut(turn.lastRefusal());
                }
                pause(signals, turn.isFirst() ? acquisition.pause() : left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw refusals.interrupted(resource, e);
        } finally {
            queue.leave(turn);
        }
    }

    private static void pause(Semaphore signals, long nanos) throws InterruptedException {
        var unused = signals.tryAcquire(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    }
}
