package io.github.fencedwrite.internal.simulation;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * What a world is like and what may happen in it. Times in nanoseconds unless they say otherwise.
 *
 * @param timeout of a node's answer
 * @param maxTtlMillis the largest ttl of any client
 * @param retentionMillis how long counters are kept
 * @param activity how long the clients are at work
 * @param phases how often they are, with a pause in between in which locks run out and quarantines end
 * @param seeded whether attempts bring their wall clock as a seed
 * @param wallClocksAgree whether the clients' wall clocks are right to within a few milliseconds, else they are anything
 * @param nodeClocksJump whether the clocks jump by which nodes let locks run out
 * @param flushes whether everything on a node may be deleted while it runs
 * @param evictions whether counters may vanish or be overwritten
 * @param lossPerMille how often a connection breaks around a command
 * @param faults number of greater faults in each phase
 * @param frantic whether clients hardly pause and hardly hold, while node clocks jump all the time
 */
record Conditions(
        int nodes,
        int clients,
        long timeout,
        int maxTtlMillis,
        long retentionMillis,
        long activity,
        int phases,
        boolean seeded,
        boolean wallClocksAgree,
        boolean nodeClocksJump,
        boolean flushes,
        boolean evictions,
        int lossPerMille,
        int faults,
        boolean frantic) {

    private static final int[] NODES = {1, 2, 3, 3, 3, 3, 4, 5, 5, 5};
    private static final int[] MAX_TTL_MILLIS = {150, 300, 600, 2_000, 10_000};

    static Conditions draw(SplittableRandom random) {
        boolean frantic = random.nextInt(12) == 0;
        boolean hostileNodes = frantic || random.nextInt(3) == 0;
        return new Conditions(
                NODES[random.nextInt(NODES.length)],
                2 + random.nextInt(3),
                millis(10 + random.nextInt(60)),
                MAX_TTL_MILLIS[random.nextInt(MAX_TTL_MILLIS.length)],
                TimeUnit.HOURS.toMillis(1),
                millis(200 + random.nextInt(800)),
                random.nextInt(3) == 0 ? 2 + random.nextInt(2) : 1,
                random.nextInt(4) != 0,
                random.nextBoolean(),
                frantic || (hostileNodes && random.nextBoolean()),
                hostileNodes && random.nextBoolean(),
                random.nextInt(3) == 0,
                random.nextInt(3) == 0 ? 0 : random.nextInt(20),
                random.nextInt(8),
                frantic);
    }

    int quorum() {
        return nodes / 2 + 1;
    }

    /** Whether the lease promises to be exclusive: locks run out by time only, and at the right one. */
    boolean exclusive() {
        return !nodeClocksJump && !flushes;
    }

    static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
