package io.github.fencedwrite.examples.chaos.nemesis;

import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Knows faults of one kind of target. */
interface FaultSource {

    /** A random fault, ready to strike. */
    Fault draw(Random random);

    static <T> T pick(List<T> all, Random random) {
        return all.get(random.nextInt(all.size()));
    }

    static Duration millis(Random random, int least, int most) {
        return Duration.ofMillis(least + random.nextInt(most - least + 1));
    }
}
