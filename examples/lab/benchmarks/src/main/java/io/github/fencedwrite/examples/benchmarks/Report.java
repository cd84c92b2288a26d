package io.github.fencedwrite.examples.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Results as files for the README: a table, the figures of every pair of slices, and charts. */
final class Report {

    private final List<Result> results;
    private final Machine machine;

    Report(List<Result> results, Machine machine) {
        this.results = results;
        this.machine = machine;
    }

    /** Writes {@code results.md}, {@code results.csv} and the charts, over what is there. */
    void write(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("results.md"), markdown());
        Files.writeString(directory.resolve("results.csv"), csv());
        List<Result> compared = results.stream()
                .filter(result -> !result.comparison().name().startsWith(Scaling.PREFIX))
                .toList();
        List<Result> scaling = results.stream()
                .filter(result -> result.comparison().name().startsWith(Scaling.PREFIX))
                .toList();
        Files.writeString(directory.resolve("ratios.svg"), BarChart.ofRatios(compared));
        if (!scaling.isEmpty()) {
            Files.writeString(directory.resolve("scaling.svg"), BarChart.ofFigures(scaling));
        }
    }

    String markdown() {
        StringBuilder text = new StringBuilder(machine.describe())
                .append("\n\nBelow 1 is a win of fenced-write, above 1 a loss.\n\n")
                .append(
                        "| comparison | A / B | middle half of the pairs | target | A | B | unit | what A is | what B is |\n")
                .append("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
        for (Result result : results) {
            Comparison comparison = result.comparison();
            text.append(String.format(
                    Locale.ROOT,
                    "| `%s` | %.2f | %.2f–%.2f | %s | %s | %s | %s | %s | %s |%n",
                    comparison.name(),
                    result.ratio(),
                    result.lowerQuartile(),
                    result.upperQuartile(),
                    result.verdict(),
                    Result.figure(result.medianOfA()),
                    Result.figure(result.medianOfB()),
                    comparison.unit(),
                    comparison.a(),
                    comparison.b()));
        }
        return text.toString();
    }

    /** One line for each pair of slices. */
    String csv() {
        StringBuilder text = new StringBuilder("comparison,pair,a,b,unit\n");
        for (Result result : results) {
            for (int i = 0; i < result.a().size(); i++) {
                text.append(String.format(
                        Locale.ROOT,
                        "%s,%d,%.3f,%.3f,\"%s\"%n",
                        result.comparison().name(),
                        i + 1,
                        result.a().get(i),
                        result.b().get(i),
                        result.comparison().unit()));
            }
        }
        return text.toString();
    }
}
