package io.github.fencedwrite.examples.benchmarks;

import io.github.fencedwrite.examples.benchmarks.Comparison.Pair;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures both sides of a comparison in turn, in short slices in one JVM, so that whatever else the machine does hits both
 * alike. Each pair of neighbouring slices gives one ratio; sides take turns at being first.
 */
final class PairedRunner {

    private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();
    private static final int SLICES_OF_A_ROUND = 10;
    private static final double MOST_COMPILING = 0.02;

    private final Pace overall;

    PairedRunner(Pace overall) {
        this.overall = overall;
    }

    Result run(Comparison comparison) throws Exception {
        Pace pace = overall.of(comparison);
        try (Stage stage = new Stage()) {
            Pair pair = comparison.setup().open(stage);
            warmUp(pair, pace);
            return measure(comparison, pair, pace);
        }
    }

    /** Until the compiler has little left to do: on a small machine it takes the time from both sides, and not alike. */
    private static void warmUp(Pair pair, Pace pace) throws Exception {
        long begun = System.nanoTime();
        while (true) {
            long roundBegun = System.nanoTime();
            long compiledBefore = COMPILER.getTotalCompilationTime();
            if (roundBegun - begun >= pace.longestWarmup().toNanos()) {
                return;
            }
            do {
                pair.a().measure(pace.slice());
                pair.b().measure(pace.slice());
            } while (System.nanoTime() - roundBegun
                    < SLICES_OF_A_ROUND * pace.slice().toNanos());
            double millis = (System.nanoTime() - roundBegun) / 1e6;
            boolean compiled = COMPILER.getTotalCompilationTime() - compiledBefore < MOST_COMPILING * millis;
            if (compiled && System.nanoTime() - begun >= pace.warmup().toNanos()) {
                return;
            }
        }
    }

    private static Result measure(Comparison comparison, Pair pair, Pace pace) throws Exception {
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
