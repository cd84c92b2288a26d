package io.github.fencedwrite.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One short slice of each comparison: says that it works, nothing about its figures. */
class EveryComparisonIT {

    @ParameterizedTest
    @MethodSource
    void givesTwoFigures(Named comparison) throws Exception {
        Result result = new PairedRunner(Pace.SMOKE).run(comparison.comparison());
        assertThat(result.medianOfA()).isNotNaN().isNotNegative();
        assertThat(result.medianOfB()).isNotNaN().isNotNegative();
    }

    /** Those of the quick set; the others differ by their size, which is what makes them slow. */
    static Stream<Named> givesTwoFigures() {
        return Catalogue.quick().stream().map(Named::new);
    }

    @Test
    void haveDifferentNames() {
        assertThat(Catalogue.full()).extracting(Comparison::name).doesNotHaveDuplicates();
    }

    record Named(Comparison comparison) {

        @Override
        public String toString() {
            return comparison.name();
        }
    }
}
