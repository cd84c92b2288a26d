package io.github.fencedwrite.examples.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * What a comparison gave.
 *
 * @param comparison what was compared
 * @param a the figures of A, one for each pair of slices
 * @param b those of B, in the same order
 */
record Result(Comparison comparison, List<Double> a, List<Double> b) {

    Result {
        if (a.isEmpty() || a.size() != b.size()) {
            throw new IllegalArgumentException("Not pairs: " + a.size() + " and " + b.size() + " figures");
        }
        a = List.copyOf(a);
        b = List.copyOf(b);
    }

    /** The median of the ratios of all pairs, not the ratio of the medians: what hits a pair hits both its sides. */
    double ratio() {
        return quantile(ratios(), 0.5);
    }

    /** Half of the pairs gave a ratio between this and {@link #upperQuartile()}. */
    double lowerQuartile() {
        return quantile(ratios(), 0.25);
    }

    double upperQuartile() {
        return quantile(ratios(), 0.75);
    }

    double medianOfA() {
        return quantile(a, 0.5);
    }

    double medianOfB() {
        return quantile(b, 0.5);
    }

    /** Whether the target, if there is one, was met. */
    boolean isMet() {
        return ratio() <= comparison.atMost();
    }

    /** For people, about the target. */
    String verdict() {
        if (!comparison.hasTarget()) {
            return "none";
        }
        return String.format(Locale.ROOT, "at most %.2f: %s", comparison.atMost(), isMet() ? "met" : "missed");
    }

    /** The line for people and programs. */
    String line() {
        return String.format(
                Locale.ROOT,
                "RATIO %s %.2f a=%s b=%s",
                comparison.name(),
                ratio(),
                figure(medianOfA()),
                figure(medianOfB()));
    }

    /** Three significant digits or all digits before the point. */
    static String figure(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
    }

    private List<Double> ratios() {
        return IntStream.range(0, a.size()).mapToObj(i -> a.get(i) / b.get(i)).toList();
    }

    /** The value below which this part of all values lies, between two of them if need be. */
    static double quantile(List<Double> values, double part) {
        List<Double> sorted = values.stream().sorted().toList();
        double place = part * (sorted.size() - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.size() - 1);
        return sorted.get(below) + (place - below) * (sorted.get(above) - sorted.get(below));
    }
}
