package io.github.fencedwrite.jdbi.internal.transaction;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** The time between two attempts: longer from one to the next, and random, so that those who meet do not meet again. */
public final class Pause {

    private static final long LONGEST_MILLIS = 500;

    private Pause() {}

    /**
     * Waits before an attempt, at most half a second. The time is kept even if the thread is interrupted.
     *
     * @param attempt which, 2 for the first that follows another
     * @return whether the thread was interrupted meanwhile; its flag is clear then
     */
    public static boolean before(int attempt) {
        long bound = Math.min(LONGEST_MILLIS, 10L << Math.min(attempt - 1, 6));
        long end = System.nanoTime()
                + TimeUnit.MILLISECONDS.toNanos(ThreadLocalRandom.current().nextLong(bound / 2, bound + 1));
        boolean interrupted = Thread.interrupted();
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            try {
                TimeUnit.NANOSECONDS.sleep(left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        return interrupted;
    }
}
