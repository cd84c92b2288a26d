package io.github.fencedwrite.examples.mutants;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;

/**
 * What came of one test.
 *
 * @param test class and method
 * @param kind how it ended
 * @param failure why it failed, on one line; empty if it did not
 */
record Result(String test, Kind kind, String failure) {

    /** How a test ends. */
    enum Kind {
        PASSED,
        /** An assertion failed: what was promised was not kept. */
        ASSERTION_FAILED,
        /** Something else was thrown, for example since a server did not start or a statement was no SQL. */
        BROKEN
    }

    static Result of(TestIdentifier test, boolean passed, @Nullable Throwable thrown) {
        String name = test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(MethodSource.class::cast)
                .map(method -> method.getJavaClass().getSimpleName() + "#" + method.getMethodName())
                .orElse(test.getDisplayName());
        if (passed) {
            return new Result(name, Kind.PASSED, "");
        }
        String failure = Stream.iterate(thrown, t -> t != null, Throwable::getCause)
                .map(Throwable::toString)
                .collect(Collectors.joining("; "));
        return new Result(
                name,
                test.isTest() && isAssertion(thrown) ? Kind.ASSERTION_FAILED : Kind.BROKEN,
                failure.replaceAll("\\s+", " "));
    }

    private static boolean isAssertion(@Nullable Throwable thrown) {
        return thrown instanceof AssertionError
                || (thrown != null
                        && thrown.getClass().getName().equals("org.awaitility.core.ConditionTimeoutException"));
    }

    String line() {
        return kind + "\t" + test + "\t" + failure;
    }

    static Result parse(String line) {
        String[] parts = line.split("\t", 3);
        return new Result(parts[1], Kind.valueOf(parts[0]), parts[2]);
    }

    @Override
    public String toString() {
        return test + (failure.isEmpty() ? "" : ": " + failure);
    }
}
