package io.github.fencedwrite.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

    private static final List<Result> RESULTS = List.of(
            result("a-win", 0.5, List.of(2.0, 2.0), List.of(10.0, 10.0)),
            result("a-loss", Comparison.NO_TARGET, List.of(30.0), List.of(10.0)),
            result("nothing-left", Comparison.NO_TARGET, List.of(0.0), List.of(100_000.0)),
            result("scaling-n1", Comparison.NO_TARGET, List.of(100.0), List.of(90.0)));

    @Test
    void showsWinsAndLossesInTheTable(@TempDir Path directory) throws Exception {
        new Report(RESULTS, new Machine()).write(directory);
        assertThat(Files.readString(directory.resolve("results.md")))
                .contains("| `a-win` | 0.20 | 0.20–0.20 | at most 0.50: met | 2.00 | 10.0 | µs |")
                .contains("| `a-loss` | 3.00 |");
    }

    @Test
    void writesEveryPairOfSlices(@TempDir Path directory) throws Exception {
        new Report(RESULTS, new Machine()).write(directory);
        assertThat(Files.readAllLines(directory.resolve("results.csv")))
                .startsWith("comparison,pair,a,b,unit", "a-win,1,2.000,10.000,\"µs\"", "a-win,2,2.000,10.000,\"µs\"")
                .hasSize(1 + 5);
    }

    @Test
    void drawsChartsThatAreWellFormed(@TempDir Path directory) throws Exception {
        new Report(RESULTS, new Machine()).write(directory);
        for (String chart : List.of("ratios.svg", "scaling.svg")) {
            Path file = directory.resolve(chart);
            DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
            assertThat(file).content().doesNotContain("NaN").doesNotContain("Infinity");
        }
    }

    private static Result result(String name, double atMost, List<Double> a, List<Double> b) {
        Comparison comparison = new Comparison(name, "this", "that", Comparison.MICROS, atMost, stage -> {
            throw new IllegalStateException("not run");
        });
        return new Result(comparison, a, b);
    }
}
