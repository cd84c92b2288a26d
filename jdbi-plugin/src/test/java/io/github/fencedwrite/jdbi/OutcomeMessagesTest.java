package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.FencingToken;
import org.junit.jupiter.api.Test;

/** Exceptions can be made by tests of an application, and tell what can be the cause. */
class OutcomeMessagesTest {

    private static final FencingToken TOKEN = FencingToken.of(7);
    private static final FencedTarget BY_TOKEN = new FencedTarget("inventory", "sku=4711", TOKEN, null);
    private static final FencedTarget BY_LEASE =
            new FencedTarget("inventory", "sku=4711", TOKEN, TestLease.of("sku:4711", 7));

    @Test
    void tellsThatTheRowMayBelongToAnotherResource() {
        WriteOutcome.Stale stale = new WriteOutcome.Stale(TOKEN, FencingToken.of(2_200_000));
        assertThat(new StaleTokenException(stale, BY_TOKEN, null)).hasMessageContaining("under another resource");
        assertThat(new StaleTokenException(stale, BY_LEASE, null)).hasMessageContaining("\"sku:4711\"");
        assertThat(new TokenRegressionException(
                        new WriteOutcome.Regression(TOKEN, FencingToken.of(2_200_000)), BY_LEASE))
                .hasMessageContaining("under another resource");
    }

    @Test
    void doesNotCallATokenNewerThatIsNotKnown() {
        assertThat(new StaleTokenException(new WriteOutcome.Stale(TOKEN, null), BY_TOKEN, null))
                .hasMessageContaining("must be taken for a newer one")
                .hasMessageNotContaining("another holder");
    }

    @Test
    void tellsWhatToDoAboutARowThatStandsThere() {
        assertThat(new RetryableWriteException(new WriteOutcome.Retryable(""), BY_TOKEN, null))
                .hasMessageContaining("inserted anew")
                .hasMessageContaining("Roll back and repeat");
        assertThat(new RetryableWriteException(new WriteOutcome.Retryable("40001"), BY_TOKEN, null))
                .hasMessageContaining("the database answered 40001.");
    }

    @Test
    void canBeMadeForEachOutcome() {
        assertThat(new AlreadyWrittenException(new WriteOutcome.AlreadyWritten(TOKEN), BY_TOKEN).presented())
                .isEqualTo(TOKEN);
        assertThat(new NotClaimedException(new WriteOutcome.NotClaimed(TOKEN, 3), BY_TOKEN).stored())
                .hasValue(3);
        assertThat(new PartialWriteException(new WriteOutcome.Partial(TOKEN, 2, 1), BY_TOKEN))
                .hasMessageContaining("wrote 2 row(s), but 1");
        assertThat(new UnknownOutcomeException(new WriteOutcome.Unknown("08006"), BY_TOKEN, null).outcome())
                .isEqualTo(new WriteOutcome.Unknown("08006"));
        assertThat(new TooManyRowsException(BY_TOKEN, 2).rows()).isEqualTo(2);
    }
}
