package io.github.fencedwrite.examples.benchmarks;

import io.github.fencedwrite.examples.benchmarks.Comparison.Pair;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures both sides of a comparison in turn, in short slices in one JVM, so that whatever else the machine does hits both
 * alike. Each pair of neighbouring slices gives one ratio; sides take turns at being first.
 */
final class PairedRunner {

    private final Pace pace;

    PairedRunner(Pace pace) {
        this.pace = pace;
    }

    Result run(Comparison comparison) throws Exception {
        try (Stage stage = new Stage()) {
            Pair pair = comparison.setup().open(stage);
            warmUp(pair);
            return measure(comparison, pair);
        }
    }

    private void warmUp(Pair pair) throws Exception {
        long end = System.nanoTime() + pace.warmup().toNanos();
        while (System.nanoTime() - end < 0) {
            pair.a().measure(pace.slice());
            pair.b().measure(pace.slice());
        }
    }

    private Result measure(Comparison comparison, Pair pair) throws Exception {
        List<Double> a = new ArrayList<>();
        List<Double> b = new ArrayList<>();
        long end = System.nanoTime() + pace.measuring().toNanos();
        do {
            if (a.size() % 2 == 0) {
                a.add(pair.a().measure(pace.slice()));
                b.add(pair.b().measure(pace.slice()));
            } else {
                b.add(pair.b().measure(pace.slice()));
                a.add(pair.a().measure(pace.slice()));
            }
        } while (System.nanoTime() - end < 0);
        return new Result(comparison, a, b);
    }
}
