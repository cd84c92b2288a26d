package io.github.fencedwrite.examples.benchmarks;

/**
 * Two ways to do the same, measured side by side in one run.
 *
 * @param name as in the line that is printed, and as an argument of {@link Benchmarks}
 * @param a what this project does
 * @param b what it is compared with
 * @param unit of both figures; smaller is better
 * @param atMost what A may cost at most, as a multiple of B; {@link #NO_TARGET} if whatever comes out is only reported
 * @param setup prepares both sides
 */
record Comparison(String name, String a, String b, String unit, double atMost, Setup setup) {

    static final double NO_TARGET = Double.POSITIVE_INFINITY;
    static final String MICROS = "µs";

    /** Whether there is something to meet. */
    boolean hasTarget() {
        return atMost != NO_TARGET;
    }

    /** Prepares both sides; what has to be closed afterwards is put on the stage. */
    @FunctionalInterface
    interface Setup {

        Pair open(Stage stage) throws Exception;
    }

    /** Both sides, ready to be measured in turn. */
    record Pair(Scenario a, Scenario b) {}
}
