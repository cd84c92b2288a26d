package io.github.fencedwrite.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultTest {

    private static final Comparison COMPARISON = comparison(1.1, stage -> {
        throw new IllegalStateException("not run");
    });

    @Test
    void takesTheMedianOfTheRatiosNotTheRatioOfTheMedians() {
        Result result = new Result(COMPARISON, List.of(1.0, 20.0, 9.0), List.of(1.0, 10.0, 3.0));
        assertThat(result.ratio()).isEqualTo(2.0); // the medians' is 3
        assertThat(result.medianOfA()).isEqualTo(9.0);
        assertThat(result.medianOfB()).isEqualTo(3.0);
    }

    @Test
    void givesTheMiddleHalfOfTheRatiosAsSpread() {
        Result result = new Result(COMPARISON, List.of(5.0, 1.0, 4.0, 2.0, 3.0), List.of(1.0, 1.0, 1.0, 1.0, 1.0));
        assertThat(result.lowerQuartile()).isEqualTo(2.0);
        assertThat(result.ratio()).isEqualTo(3.0);
        assertThat(result.upperQuartile()).isEqualTo(4.0);
    }

    @Test
    void takesTheMiddleOfTwoWhereTheirNumberIsEven() {
        assertThat(Result.quantile(List.of(1.0, 2.0), 0.5)).isCloseTo(1.5, within(1e-9));
        assertThat(Result.quantile(List.of(7.0), 0.25)).isEqualTo(7.0);
    }

    @Test
    void meetsATargetThatIsJustReached() {
        assertThat(new Result(COMPARISON, List.of(1.1), List.of(1.0)).isMet()).isTrue();
        assertThat(new Result(COMPARISON, List.of(1.11), List.of(1.0)).isMet()).isFalse();
    }

    @Test
    void printsOneLineThatProgramsCanRead() {
        Result result = new Result(COMPARISON, List.of(123.4), List.of(100.0));
        assertThat(result.line()).isEqualTo("RATIO some-name 1.23 a=123 b=100");
    }

    @Test
    void refusesFiguresThatAreNoPairs() {
        assertThatThrownBy(() -> new Result(COMPARISON, List.of(1.0, 2.0), List.of(1.0)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void letsSidesTakeTurnsAtBeingFirst() throws Exception {
        List<String> order = new ArrayList<>();
        Comparison comparison = comparison(
                1,
                stage -> new Comparison.Pair(
                        slice -> {
                            order.add("a");
                            return 2;
                        },
                        slice -> {
                            order.add("b");
                            return 1;
                        }));
        Result result = new PairedRunner(
                        new Pace(Duration.ZERO, Duration.ZERO, Duration.ofMillis(1), Duration.ofMillis(50)))
                .run(comparison);
        assertThat(order).startsWith("a", "b", "b", "a");
        assertThat(result.ratio()).isEqualTo(2.0);
    }

    @Test
    void findsThePercentileThatNoMoreThanTheRestExceeds() {
        Durations durations = new Durations();
        for (int i = 2_000; i >= 1; i--) {
            durations.add(i);
        }
        assertThat(durations.percentile(50)).isEqualTo(1_000);
        assertThat(durations.percentile(99)).isEqualTo(1_980);
        assertThat(durations.percentile(100)).isEqualTo(2_000);
    }

    private static Comparison comparison(double atMost, Comparison.Setup setup) {
        return new Comparison("some-name", "this", "that", Comparison.MICROS, atMost, setup);
    }
}
