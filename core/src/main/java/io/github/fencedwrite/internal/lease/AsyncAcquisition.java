package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.internal.loop.Deadlines.Deadline;
import io.github.fencedwrite.internal.loop.Loop;
import io.github.fencedwrite.internal.protocol.Verdict;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Waits without a thread: attempts and pauses are steps of the loop, and their results are handed over on the thread for
 * callbacks. A caller who cancels gets no lease, and one that comes too late is given back.
 */
final class AsyncAcquisition {

    private final LeaseClient client;
    private final Acquisition acquisition;
    private final WaitQueue queue;
    private final HeldLeases leases;
    private final Loop loop;
    private final Executor callbacks;
    private final CompletableFuture<Lease> future = new CompletableFuture<>();
    private volatile WaitQueue.@Nullable Turn turn;

    // used in steps only
    private @Nullable LeaseExchange attempt;
    private @Nullable Deadline pause;
    private @Nullable Deadline end;

    AsyncAcquisition(
            LeaseClient client,
            Acquisition acquisition,
            WaitQueue queue,
            HeldLeases leases,
            Loop loop,
            Executor callbacks) {
        this.client = client;
        this.acquisition = acquisition;
        this.queue = queue;
        this.leases = leases;
        this.loop = loop;
        this.callbacks = callbacks;
    }

    CompletableFuture<Lease> start() {
        var unused = future.whenComplete((lease, thrown) -> {
            WaitQueue.Turn mine = turn;
            if (mine != null) {
                queue.leave(mine);
            }
            loop.submit(this::end);
        });
        if (acquisition.waits()) {
            turn = queue.enter(acquisition.spec().resource(), this::goOnSoon);
        }
        loop.submit(() -> end = loop.deadlines().at(loop.now() + acquisition.patience(), this::timeIsUp));
        goOnSoon();
        return future;
    }

    private void goOnSoon() {
        if (!future.isDone()) {
            loop.submit(this::goOn);
        }
    }

    private void goOn() {
        WaitQueue.Turn mine = turn;
        if (future.isDone() || attempt != null || (mine != null && !mine.isFirst())) {
            return;
        }
        if (pause != null) {
            pause.cancel();
        }
        if (mine == null || !leases.holds(acquisition.spec().resource()) || mine.takeHint()) {
            try {
                LeaseExchange next = acquisition.newAttempt();
                attempt = next;
                client.beginUnattended(next, verdict -> callbacks.execute(() -> finish(next, verdict)));
            } catch (RuntimeException e) {
                failLater(e);
            }
        } else if (acquisition.left() > 0) {
            // once the wait is over its own deadline ends it; another pause would be due at once, again and again
            pause();
        }
    }

    /** On the thread for callbacks, where the application hears of a lease. */
    private void finish(LeaseExchange exchange, Verdict verdict) {
        try {
            RedisLease lease = acquisition.finish(exchange, verdict);
            if (lease == null) {
                loop.submit(this::refused);
            } else if (!future.complete(lease)) {
                var unused = lease.releaseAsync();
            }
        } catch (RuntimeException e) {
            future.completeExceptionally(e);
        }
    }

    private void refused() {
        attempt = null;
        WaitQueue.Turn mine = turn;
        if (mine != null) {
            queue.refused(mine, acquisition.lastRefusal());
        }
        if (acquisition.againAtOnce()) {
            goOn();
        } else if (acquisition.left() > 0) {
            pause();
        } else {
            timeIsUp();
        }
    }

    private void pause() {
        pause = loop.deadlines().at(loop.now() + Math.max(0, acquisition.pause()), this::goOn);
    }

    /** An attempt under way ends with this, and tells more than the end of the wait does. */
    private void timeIsUp() {
        LeaseExchange open = attempt;
        if (acquisition.waits()) {
            WaitQueue.Turn mine = turn;
            failLater(acquisition.timedOut(mine == null ? null : mine.lastRefusal()));
        }
        if (open != null) {
            open.giveUp();
        }
    }

    /** Nobody is left to see it through. */
    void clientClosed() {
        future.completeExceptionally(
                new IllegalStateException("This client was closed while the lock was waited for."));
    }

    private void failLater(RuntimeException failure) {
        callbacks.execute(() -> future.completeExceptionally(failure));
    }

    /** It was completed, maybe by its caller. */
    private void end() {
        if (pause != null) {
            pause.cancel();
        }
        if (end != null) {
            end.cancel();
        }
        if (attempt != null) {
            attempt.giveUp();
        }
    }
}
