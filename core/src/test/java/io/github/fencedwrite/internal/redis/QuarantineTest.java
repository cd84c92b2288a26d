package io.github.fencedwrite.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.NodeFailure.Reason;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class QuarantineTest {

    private final Quarantine quarantine = new Quarantine(30_000);

    @Test
    void aServerThatRunsForLongVotes() {
        quarantine.seen(server("a", 31));
        assertThat(quarantine.check()).isNull();
    }

    @Test
    void aServerWhoseUptimeIsBelowMaxTtlAndASecondDoesNotVote() {
        quarantine.seen(server("a", 29));
        assertThat(quarantine.check()).isNotNull().satisfies(failure -> {
            assertThat(failure.reason()).isEqualTo(Reason.QUARANTINED);
            assertThat(failure.detail()).contains("votes again in").contains("ms");
        });
        assertThat(TimeUnit.NANOSECONDS.toMillis(quarantine.remainingNanos())).isBetween(1_500L, 2_000L);
    }

    @Test
    void aChangedRunIdCountsByThisClientsOwnClockWhateverUptimeSays() {
        quarantine.seen(server("a", 1_000));
        quarantine.seen(server("b", 122));
        assertThat(TimeUnit.NANOSECONDS.toMillis(quarantine.remainingNanos())).isBetween(29_500L, 30_000L);
    }

    @Test
    void aLaterConnectionDoesNotEndItEarly() {
        quarantine.seen(server("a", 1));
        quarantine.seen(server("a", 500));
        assertThat(quarantine.check()).isNotNull();
    }

    @Test
    void switchedOffItSaysNothing() {
        Quarantine off = new Quarantine(0);
        off.seen(server("a", 0));
        assertThat(off.check()).isNull();
        assertThat(off.remainingNanos()).isZero();
    }

    private static ServerInfo server(String runId, long uptimeSeconds) {
        return new ServerInfo(runId, "7.0.0", uptimeSeconds, 0, 0, null);
    }
}
