package io.github.fencedwrite.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.NodeFailure.Reason;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A quarantine of thirty seconds and one, on a clock that is about to run over. */
class QuarantineTest {

    private long now = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(5);
    private final Quarantine quarantine = new Quarantine(30_000, () -> now);

    @Test
    void aServerThatNobodyHasSeenVotes() {
        assertRemainingMillis(0);
    }

    @Test
    void aServerThatRunsForLongVotes() {
        quarantine.seen(server("a", 31));
        assertRemainingMillis(0);
    }

    @Test
    void aServerWhoseUptimeIsBelowMaxTtlAndASecondDoesNotVote() {
        quarantine.seen(server("a", 30));
        assertRemainingMillis(1_000);
        quarantine.seen(server("a", 0));
        assertRemainingMillis(31_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, -3_600, Long.MIN_VALUE})
    void aServerWhoseClockWasSetBackIsOutForNoLongerThanOneThatStartedNow(long uptimeSeconds) {
        quarantine.seen(server("a", uptimeSeconds));
        assertRemainingMillis(31_000);
    }

    @Test
    void aChangedRunIdCountsByThisClientsOwnClockWhateverUptimeSays() {
        quarantine.seen(server("a", 1_000));
        quarantine.seen(server("b", 122));
        assertRemainingMillis(30_000);
    }

    @Test
    void aChangedRunIdDoesNotShortenWhatUptimeSays() {
        quarantine.seen(server("a", 1_000));
        quarantine.seen(server("b", 0));
        assertRemainingMillis(31_000);
    }

    @Test
    void aLaterConnectionDoesNotEndItEarly() {
        quarantine.seen(server("a", 1));
        pass(7_000);
        quarantine.seen(server("a", 500));
        quarantine.seen(server("a", Long.MAX_VALUE));
        assertRemainingMillis(23_000);
    }

    @Test
    void itEndsOnTimeAndBeginsAgainAfterTheNextRestart() {
        quarantine.seen(server("a", 0));
        pass(30_999);
        assertRemainingMillis(1);
        pass(1);
        assertRemainingMillis(0);
        pass(1_000);
        assertRemainingMillis(0);
        quarantine.seen(server("b", 1));
        assertRemainingMillis(30_000);
    }

    @Test
    void whoAsksIsToldWhenTheNodeVotesAgain() {
        quarantine.seen(server("a", 29));
        now++;
        assertThat(quarantine.check())
                .isEqualTo(new NodeFailure(
                        Reason.QUARANTINED, "restarted lately and may have forgotten locks; votes again in 2000 ms"));
        now += TimeUnit.SECONDS.toNanos(2) - 2;
        assertThat(quarantine.check()).isNotNull();
        now++;
        assertThat(quarantine.check()).isNull();
    }

    @Test
    void switchedOffItSaysNothing() {
        Quarantine off = new Quarantine(0, () -> now);
        off.seen(server("a", 0));
        off.seen(server("b", 0));
        assertThat(off.check()).isNull();
        assertThat(off.remainingNanos()).isZero();
    }

    private void pass(long millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private void assertRemainingMillis(long millis) {
        assertThat(quarantine.remainingNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private static ServerInfo server(String runId, long uptimeSeconds) {
        return new ServerInfo(runId, "7.0.0", uptimeSeconds, 0, 0, null);
    }
}
