package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.LockNotAcquiredException;
import io.github.fencedwrite.internal.loop.Loop;
import io.github.fencedwrite.internal.loop.Waiter;
import io.github.fencedwrite.internal.protocol.Verdict;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Waits on the caller's own thread. Safe for use by many threads. */
final class BlockingAcquisition {

    private final LeaseClient client;
    private final WaitQueue queue;
    private final HeldLeases leases;
    private final Loop loop;

    BlockingAcquisition(LeaseClient client, WaitQueue queue, HeldLeases leases, Loop loop) {
        this.client = client;
        this.queue = queue;
        this.leases = leases;
        this.loop = loop;
    }

    /**
     * Sees an acquisition through.
     *
     * @throws LockNotAcquiredException if it fails, the wait is over or the thread is interrupted
     */
    RedisLease acquire(Acquisition acquisition) {
        if (!acquisition.waits()) {
            RedisLease lease = attempt(acquisition);
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
                    RedisLease lease = attempt(acquisition);
                    if (lease != null) {
                        return lease;
                    }
                    queue.refused(turn, acquisition.lastRefusal());
                }
                long left = acquisition.left();
                if (left <= 0) {
                    throw acquisition.timedOut(turn.lastRefusal());
                }
                pause(signals, turn.isFirst() ? acquisition.pause() : left);
                client.ensureUsable(resource);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw client.refusals().interrupted(resource, e);
        } finally {
            queue.leave(turn);
        }
    }

    /** One attempt, or, if there is a wait, a few as long as others get in between. */
    private @Nullable RedisLease attempt(Acquisition acquisition) {
        RedisLease lease;
        do {
            LeaseExchange exchange = acquisition.newAttempt();
            lease = acquisition.finish(exchange, verdict(exchange, acquisition));
        } while (lease == null && acquisition.againAtOnce());
        return lease;
    }

    private Verdict verdict(LeaseExchange exchange, Acquisition acquisition) {
        Waiter<Verdict> waiter = new Waiter<>(loop);
        loop.submit(() -> client.begin(exchange, waiter::settle));
        loop.await(waiter, loop.now() + acquisition.patience(), true);
        Verdict verdict = waiter.result();
        if (verdict == null) {
            loop.submit(exchange::giveUp);
            loop.await(waiter, loop.now() + TimeUnit.MINUTES.toNanos(1), false);
            verdict = waiter.result();
        }
        String resource = acquisition.spec().resource();
        if (!(verdict instanceof Verdict.Held) && Thread.currentThread().isInterrupted()) {
            throw client.refusals().interrupted(resource, null);
        }
        if (verdict == null) {
            client.ensureUsable(resource);
            throw new IllegalStateException("An attempt that was given up was not decided: a defect of the library");
        }
        return verdict;
    }

    private static void pause(Semaphore signals, long nanos) throws InterruptedException {
        var unused = signals.tryAcquire(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    }
}
