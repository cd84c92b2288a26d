package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.internal.redis.Background;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Waits without a thread: attempts run on the client's workers, pauses are timers. A caller who cancels gets no lease, and
 * one that comes too late is given back.
 */
final class AsyncAcquisition {

    private final Acquisition acquisition;
    private final WaitQueue queue;
    private final LeasesInHand leases;
    private final Background background;
    private final CompletableFuture<Lease> future = new CompletableFuture<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private volatile WaitQueue.@Nullable Turn turn;
    private @Nullable Future<?> pause;
    private volatile @Nullable Future<?> timer;

    AsyncAcquisition(Acquisition acquisition, WaitQueue queue, LeasesInHand leases, Background background) {
        this.acquisition = acquisition;
        this.queue = queue;
        this.leases = leases;
        this.background = background;
    }

    CompletableFuture<Lease> start() {
        var unused = future.whenComplete((lease, thrown) -> {
            WaitQueue.Turn mine = turn;
            if (mine != null) {
                queue.leave(mine);
            }
            Future<?> end = timer;
            if (end != null) {
                end.cancel(false);
            }
        });
        if (acquisition.waits()) {
            turn = queue.enter(acquisition.spec().resource(), this::stepSoon);
            timer = background.later(acquisition.left(), this::waitIsOver);
        }
        stepSoon();
        return future;
    }

    private void stepSoon() {
        if (!future.isDone() && scheduled.compareAndSet(false, true)) {
            background.run(this::step);
        }
    }

    private synchronized void step() {
        scheduled.set(false);
        if (pause != null) {
            pause.cancel(false);
        }
        WaitQueue.Turn mine = turn;
        if (future.isDone() || (mine != null && !mine.isFirst())) {
            return;
        }
        try {
            if (mine == null || !leases.holds(acquisition.spec().resource()) || mine.takeHint()) {
                RedisLease lease = acquisition.attempt();
                if (lease != null) {
                    if (!future.complete(lease)) {
                        lease.close();
                    }
                    return;
                }
            }
            if (mine != null) {
                mine.refused(acquisition.lastRefusal());
            }
            if (acquisition.left() > 0) {
                pause = background.later(acquisition.pause(), this::stepSoon);
            } else {
                waitIsOver();
            }
        } catch (RuntimeException e) {
            future.completeExceptionally(e);
        }
    }

    /** Nobody is left to see it through. */
    void clientClosed() {
        future.completeExceptionally(
                new IllegalStateException("This client was closed while the lock was waited for."));
    }

    /** On the timer's thread: an attempt under way ends by itself at the same moment and would tell more. */
    private void waitIsOver() {
        WaitQueue.Turn mine = turn;
        future.completeExceptionally(acquisition.timedOut(mine == null ? null : mine.lastRefusal()));
    }
}
