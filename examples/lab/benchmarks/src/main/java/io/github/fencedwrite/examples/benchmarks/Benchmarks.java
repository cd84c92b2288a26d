package io.github.fencedwrite.examples.benchmarks;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs comparisons and prints one line for each. */
public final class Benchmarks {

    @SuppressWarnings("SystemOut") // a program for the terminal
    private static final PrintStream OUT = System.out;

    private static final Path RESULTS = Path.of("results");

    private Benchmarks() {}

    /**
     * Runs what is asked for.
     *
     * @param args with commas between them or as arguments of their own: {@code quick}; {@code full}, which takes longer and
     *     writes a report; {@code parts} for the microbenchmarks; names of comparisons; {@code report} to write one in any
     *     case
     */
    public static void main(String[] args) throws Exception {
        List<String> wanted = new ArrayList<>(List.of(String.join(",", args).split("[, ]+")));
        boolean full = wanted.contains("full");
        boolean report = wanted.remove("report") || full;
        if (wanted.remove("parts")) {
            new Runner(new OptionsBuilder()
                            .include(ProtocolBenchmark.class.getName())
                            .build())
                    .run();
        }
        Set<Comparison> chosen = new LinkedHashSet<>();
        wanted.forEach(name -> chosen.addAll(Catalogue.named(name)));
        List<Result> results = run(chosen, full ? Pace.FULL : Pace.QUICK);
        OUT.println();
        results.forEach(Benchmarks::explain);
        if (report) {
            new Report(results, new Machine()).write(RESULTS);
            OUT.println("Report: " + RESULTS.toAbsolutePath());
        }
        if (results.size() < chosen.size()) {
            throw new IllegalStateException(chosen.size() - results.size() + " comparisons failed, see above");
        }
    }

    /** One that fails is told and left out: the others are still worth their time. */
    @SuppressWarnings("SystemOut") // a program for the terminal
    private static List<Result> run(Set<Comparison> chosen, Pace pace) {
        List<Result> results = new ArrayList<>();
        for (Comparison comparison : chosen) {
            try {
                Result result = new PairedRunner(pace).run(comparison);
                OUT.println(result.line());
                results.add(result);
            } catch (Exception e) {
                System.err.println("FAILED " + comparison.name());
                e.printStackTrace();
            }
        }
        return results;
    }

    private static void explain(Result result) {
        Comparison comparison = result.comparison();
        OUT.printf(
                Locale.ROOT,
                "%-28s %5.2f (%.2f to %.2f, %d pairs), %s; %s: %s / %s%n",
                comparison.name(),
                result.ratio(),
                result.lowerQuartile(),
                result.upperQuartile(),
                result.a().size(),
                result.verdict(),
                comparison.unit(),
                comparison.a(),
                comparison.b());
    }
}
