package io.github.fencedwrite.examples.benchmarks;

import java.util.Arrays;

/** Durations in nanoseconds, all of them kept. Not thread safe. */
final class Durations {

    private long[] values = new long[1_024];
    private int count;

    void add(long nanos) {
        if (count == values.length) {
            values = Arrays.copyOf(values, 2 * count);
        }
        values[count++] = nanos;
    }

    int count() {
        return count;
    }

    /** The smallest duration that at least so many percent of all do not exceed. */
    long percentile(double percent) {
        if (count == 0) {
            throw new IllegalStateException("Nothing was measured");
        }
        long[] sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        return sorted[Math.max(0, (int) Math.ceil(percent / 100 * count) - 1)];
    }
}
