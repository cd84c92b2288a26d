package io.github.fencedwrite.examples.benchmarks;

import java.time.Duration;

/**
 * How long a comparison takes.
 *
 * @param warmup for both sides together, at least
 * @param longestWarmup for both sides together, at most; between the two it depends on the compiler
 * @param slice how long one side works before it is the other's turn
 * @param measuring for both sides together; at least one pair of slices is measured
 */
record Pace(Duration warmup, Duration longestWarmup, Duration slice, Duration measuring) {

    static final Pace SMOKE = new Pace(Duration.ZERO, Duration.ZERO, Duration.ofMillis(20), Duration.ZERO);
    static final Pace QUICK =
            new Pace(Duration.ofSeconds(8), Duration.ofSeconds(30), Duration.ofMillis(200), Duration.ofSeconds(9));
    static final Pace FULL =
            new Pace(Duration.ofSeconds(8), Duration.ofSeconds(40), Duration.ofMillis(400), Duration.ofSeconds(24));

    /** The pace for this comparison: half of the time is enough where nothing hangs on the second digit. */
    Pace of(Comparison comparison) {
        return comparison.hasTarget()
                ? this
                : new Pace(warmup.dividedBy(2), longestWarmup.dividedBy(2), slice, measuring.dividedBy(2));
    }
}
