package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which exception stands for which outcome, and what a repetition makes of them. */
class OutcomeTest {

    private static final FencingToken OLD = FencingToken.of(33);
    private static final FencingToken NEW = FencingToken.of(34);
    private static final FencedTarget TARGET = new FencedTarget("inventory", "sku=4711", OLD, null);

    record Case(WriteOutcome outcome, Class<? extends WriteNotAppliedException> type, OptionalLong stored) {}

    static Stream<Case> cases() {
        return Stream.of(
                new Case(new WriteOutcome.Stale(OLD, NEW), StaleTokenException.class, OptionalLong.of(34)),
                new Case(new WriteOutcome.Stale(OLD, null), StaleTokenException.class, OptionalLong.empty()),
                new Case(new WriteOutcome.AlreadyWritten(OLD), AlreadyWrittenException.class, OptionalLong.of(33)),
                new Case(new WriteOutcome.NotClaimed(OLD, 12), NotClaimedException.class, OptionalLong.of(12)),
                new Case(new WriteOutcome.Partial(OLD, 2, 1), PartialWriteException.class, OptionalLong.empty()),
                new Case(new WriteOutcome.Regression(OLD, NEW), TokenRegressionException.class, OptionalLong.of(34)),
                new Case(new WriteOutcome.Retryable("40001"), RetryableWriteException.class, OptionalLong.empty()),
                new Case(new WriteOutcome.Unknown("08006"), UnknownOutcomeException.class, OptionalLong.empty()));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void eachFailureHasAnExceptionOfItsOwn(Case failure) {
        WriteNotAppliedException exception = WriteNotAppliedException.of(failure.outcome, TARGET, null);
        assertThat(exception).isExactlyInstanceOf(failure.type).hasMessageContaining("sku=4711");
        assertThat(exception.outcome()).isEqualTo(failure.outcome);
        assertThat(exception.stored()).isEqualTo(failure.stored);
        assertThat(exception.presented()).isEqualTo(OLD);
        assertThat(failure.outcome.isApplied()).isFalse();
    }

    @Test
    void whatWasWrittenOrIsNotThereIsNoFailure() {
        for (WriteOutcome outcome : List.of(new WriteOutcome.Applied(1), new WriteOutcome.NotFound())) {
            assertThatThrownBy(() -> WriteNotAppliedException.of(outcome, TARGET, null))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(new WriteOutcome.Applied(1).isApplied()).isTrue();
        assertThat(new WriteOutcome.NotFound().isApplied()).isFalse();
    }

    private static WriteOutcome repeated(int attempts, WriteOutcome... answers) {
        Deque<WriteOutcome> left = new ArrayDeque<>(List.of(answers));
        WriteOutcome outcome = Fencing.repeat(attempts, left::removeFirst);
        assertThat(left).as("not asked for").isEmpty();
        return outcome;
    }

    @Test
    void repeatsWhatMayNotHaveBeenWrittenUntilItIsCertain() {
        WriteOutcome unknown = new WriteOutcome.Unknown("08006");
        WriteOutcome retryable = new WriteOutcome.Retryable("40001");
        WriteOutcome already = new WriteOutcome.AlreadyWritten(OLD);
        WriteOutcome applied = new WriteOutcome.Applied(1);
        assertThat(repeated(5, applied)).isEqualTo(applied);
        assertThat(repeated(5, retryable, retryable, applied)).isEqualTo(applied);
        assertThat(repeated(5, unknown, retryable, already))
                .as("by the first attempt")
                .isEqualTo(applied);
        assertThat(repeated(5, retryable, already))
                .as("by another statement of this lease")
                .isEqualTo(already);
        assertThat(repeated(2, unknown, retryable))
                .as("the first attempt may have written")
                .isEqualTo(unknown);
        assertThat(repeated(5, new WriteOutcome.Stale(OLD, NEW))).isEqualTo(new WriteOutcome.Stale(OLD, NEW));
        assertThat(Fencing.repeat(1, () -> {
                    throw WriteNotAppliedException.of(already, TARGET, null);
                }))
                .isEqualTo(already);
        assertThatThrownBy(() -> Fencing.repeat(0, () -> applied)).isInstanceOf(IllegalArgumentException.class);
    }
}
