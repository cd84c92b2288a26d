package io.github.fencedwrite.examples.chaos;

import java.time.Duration;

/**
 * What is played.
 *
 * @param time for which the nemesis rages, in each of the two runs
 * @param workers how many worker processes there are
 * @param seed of the nemesis and the workers
 */
public record Options(Duration time, int workers, long seed) {

    static final int NODES = 5;

    private static final int WORKERS = 3;

    /** The usual number of workers; a seed of 0 becomes a new one. */
    public static Options of(Duration time, long seed) {
        return new Options(time, WORKERS, seed == 0 ? System.nanoTime() : seed);
    }
}
