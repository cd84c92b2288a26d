package io.github.fencedwrite.examples.benchmarks;

import java.time.Duration;

/** One side of a comparison. Used by one thread. */
@FunctionalInterface
interface Scenario {

    /**
     * Works for about as long as {@code slice}, longer if the work takes longer.
     *
     * @return the figure of this slice, in the unit of the comparison
     */
    double measure(Duration slice) throws Exception;

    /** What is done again and again. */
    @FunctionalInterface
    interface Operation {

        void run() throws Exception;
    }

    /** Microseconds per operation, the mean over the slice: whatever an operation leaves for later counts as well. */
    static Scenario micros(Operation operation) {
        return slice -> {
            long begun = System.nanoTime();
            long end = begun + slice.toNanos();
            long operations = 0;
            long now = begun;
            while (now - end < 0) {
                operation.run();
                operations++;
                now = System.nanoTime();
            }
            return (now - begun) / 1_000.0 / operations;
        };
    }

    /** Microseconds of an operation that so many percent of the operations in the slice do not exceed. */
    static Scenario percentileMicros(double percent, Operation operation) {
        return slice -> {
            Durations durations = new Durations();
            long end = System.nanoTime() + slice.toNanos();
            long before = System.nanoTime();
            while (before - end < 0) {
                operation.run();
                long now = System.nanoTime();
                durations.add(now - before);
                before = now;
            }
            return durations.percentile(percent) / 1_000.0;
        };
    }
}
