package io.github.fencedwrite.examples.benchmarks;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Microseconds from the moment at which a holder begins to release until the next one has the lock, the median. Holders
 * hold for a moment and are busy elsewhere for a moment, so that most of the crowd is waiting at any time and nobody gets
 * the lock back at once.
 */
final class Handoff implements Scenario {

    private static final long HOLD = Duration.ofMillis(1).toNanos();
    private static final long ELSEWHERE = Duration.ofMillis(3).toNanos();

    private final Crowd crowd;
    private final Locking locking;

    // only the holder of the lock that is measured touches these
    private volatile long released;
    private volatile int lastHolder = -1;
    private Durations durations = new Durations();

    /** Waits for the lock. */
    @FunctionalInterface
    interface Locking {

        /** Returns what gives the lock back. */
        Runnable lock(int thread) throws Exception;
    }

    Handoff(Crowd crowd, Locking locking) {
        this.crowd = crowd;
        this.locking = locking;
    }

    @Override
    public double measure(Duration slice) throws Exception {
        durations = new Durations();
        lastHolder = -1;
        crowd.work(slice, this::takeTurn);
        return durations.count() == 0 ? Double.NaN : durations.percentile(50) / 1_000.0;
    }

    private void takeTurn(int thread) throws Exception {
        Runnable release = locking.lock(thread);
        if (lastHolder >= 0 && lastHolder != thread) {
            durations.add(System.nanoTime() - released);
        }
        LockSupport.parkNanos(HOLD);
        lastHolder = thread;
        released = System.nanoTime();
        release.run();
        LockSupport.parkNanos(ELSEWHERE);
    }
}
