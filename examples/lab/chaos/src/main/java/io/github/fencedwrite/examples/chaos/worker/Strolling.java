package io.github.fencedwrite.examples.chaos.worker;

import io.github.fencedwrite.examples.chaos.history.RowId;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Thinks for a moment, so that a process which is stopped at random is often stopped there. */
final class Strolling implements Pace {

    private static final int MOST_MILLIS = 15;

    private final Random random;

    Strolling(long seed) {
        this.random = new Random(seed);
    }

    @Override
    public void think(RowId row, long version) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(MOST_MILLIS)));
    }

    @Override
    public void ended() {}
}
