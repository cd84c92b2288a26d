package io.github.fencedwrite.examples.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Runs comparisons and prints one line for each. */
public final class Benchmarks {

    @SuppressWarnings("SystemOut") // a program for the terminal
    private static final PrintStream OUT = System.out;

    private Benchmarks() {}

    /**
     * Runs what is asked for.
     *
     * @param args {@code quick}, {@code full}, or names of comparisons, with commas or as arguments of their own
     */
    public static void main(String[] args) throws Exception {
        Set<Comparison> chosen = new LinkedHashSet<>();
        for (String name : String.join(",", args).split(",")) {
            chosen.addAll(Catalogue.named(name.strip()));
        }
        Pace pace = List.of(args).contains("full") ? Pace.FULL : Pace.QUICK;
        List<Result> results = new ArrayList<>();
        for (Comparison comparison : chosen) {
            Result result = new PairedRunner(pace).run(comparison);
            OUT.println(result.line());
            results.add(result);
        }
        OUT.println();
        results.forEach(Benchmarks::explain);
    }

    private static void explain(Result result) {
        Comparison comparison = result.comparison();
        String target = comparison.atMost() == Comparison.NO_TARGET
                ? "no target"
                : String.format(
                        Locale.ROOT, "at most %.2f: %s", comparison.atMost(), result.isMet() ? "met" : "MISSED");
        OUT.printf(
                Locale.ROOT,
                "%-28s %5.2f (%.2f to %.2f, %d pairs), %s; %s, %s / %s%n",
                comparison.name(),
                result.ratio(),
                result.lowerQuartile(),
                result.upperQuartile(),
                result.a().size(),
                target,
                comparison.unit(),
                comparison.a(),
                comparison.b());
    }
}
