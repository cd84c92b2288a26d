package io.github.fencedwrite;

import java.util.concurrent.ThreadLocalRandom;

/** The seed of a random test: new in every run and printed, or the one of {@code -Dseed=N}. */
final class Seed {

    private Seed() {}

    static long of(Object test) {
        long given = Long.getLong("seed", 0);
        long seed = given == 0 ? ThreadLocalRandom.current().nextLong(1, Integer.MAX_VALUE) : given;
        System.out.println(test.getClass().getSimpleName() + ": replay with -Dseed=" + seed);
        return seed;
    }
}
