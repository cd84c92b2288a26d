package io.github.fencedwrite.examples.servers;

/** Seed of random tests: {@code -Dseed=N} replays, 0 or nothing takes a new one, which is printed. */
final class Seed {

    private Seed() {}

    @SuppressWarnings("SystemOut")
    static long fresh() {
        long given = Long.getLong("seed", 0);
        long seed = given == 0 ? System.nanoTime() : given;
        System.out.println("seed=" + seed);
        return seed;
    }
}
