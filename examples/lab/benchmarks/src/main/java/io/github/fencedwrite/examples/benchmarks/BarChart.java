package io.github.fencedwrite.examples.benchmarks;

import java.util.List;
import java.util.Locale;

/** Horizontal bars as SVG, on a scale on which twice as much is as far from once as four times is from twice. */
final class BarChart {

    private static final int ROW = 24;
    private static final int LABELS = 230;
    private static final int BARS = 500;
    private static final int TOP = 40;

    private final double least;
    private final double most;

    private BarChart(double least, double most) {
        this.least = least;
        this.most = most;
    }

    /** A/B of each comparison as a bar from 1, to the left where A is cheaper, with a mark at the target. */
    static String ofRatios(List<Result> results) {
        double farthest = 2;
        for (Result result : results) {
            farthest = Math.max(farthest, Math.max(result.ratio(), 1 / result.ratio()));
        }
        double edge = Math.min(1_000, farthest) * 1.3;
        BarChart chart = new BarChart(1 / edge, edge);
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < results.size(); i++) {
            Result result = results.get(i);
            double ratio = result.ratio();
            rows.append(chart.row(i, result.comparison().name(), 1, ratio, String.format(Locale.ROOT, "%.2f", ratio)));
            if (result.comparison().hasTarget()) {
                rows.append(chart.mark(i, result.comparison().atMost()));
            }
        }
        return svg(
                results.size(),
                "Cost as a multiple of the alternative, logarithmic: left of the middle is cheaper; | is the target",
                rows);
    }

    /** The figure of A as a bar from the smallest, with that of B as a mark. */
    static String ofFigures(List<Result> results) {
        double least = Double.MAX_VALUE;
        double most = 0;
        for (Result result : results) {
            least = Math.min(least, Math.min(result.medianOfA(), result.medianOfB()));
            most = Math.max(most, Math.max(result.medianOfA(), result.medianOfB()));
        }
        BarChart chart = new BarChart(least / 1.5, most * 1.3);
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < results.size(); i++) {
            Result result = results.get(i);
            rows.append(chart.row(
                    i,
                    result.comparison().name(),
                    chart.least,
                    result.medianOfA(),
                    Result.figure(result.medianOfA()) + " "
                            + result.comparison().unit()));
            rows.append(chart.mark(i, result.medianOfB()));
        }
        return svg(results.size(), "Time per operation, logarithmic; | is what it is compared with", rows);
    }

    private String row(int row, String label, double from, double to, String figure) {
        double left = x(Math.min(from, to));
        double right = x(Math.max(from, to));
        int y = TOP + row * ROW;
        String colour = to <= from ? "#2a7f62" : from == least ? "#3b6ea5" : "#b5502f";
        return String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n"
                        + "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n"
                        + "<text x=\"%d\" y=\"%d\">%s</text>%n",
                LABELS - 10,
                y + 13,
                label,
                left,
                y,
                Math.max(1, right - left),
                ROW - 6,
                colour,
                LABELS + BARS + 10,
                y + 13,
                figure);
    }

    private String mark(int row, double value) {
        double x = x(value);
        int y = TOP + row * ROW;
        return String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#111\" stroke-width=\"2\"/>%n",
                x,
                y - 2,
                x,
                y + ROW - 4);
    }

    private double x(double value) {
        double inside = Math.min(Math.max(value, least), most);
        return LABELS + BARS * Math.log(inside / least) / Math.log(most / least);
    }

    private static String svg(int rows, String title, CharSequence content) {
        int width = LABELS + BARS + 110;
        int height = TOP + rows * ROW + 10;
        return String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                                + " font-size=\"12\">%n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>%n"
                                + "<text x=\"10\" y=\"20\" font-size=\"14\">%s</text>%n",
                        width,
                        height,
                        width,
                        height,
                        title)
                + content
                + "</svg>\n";
    }
}
