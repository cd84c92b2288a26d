package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A storage refused the token of a lease; whose fault is it? */
class StaleReportIT {

    private static final Duration TTL = Duration.ofSeconds(20);

    @RegisterExtension
    static final TestNodes nodes = new TestNodes(3);

    private FencedLocks locks;

    @BeforeEach
    void connect() {
        locks = client(SeedMode.CLOCK);
    }

    @AfterEach
    void close() {
        locks.close();
    }

    private static FencedLocks client(SeedMode mode) {
        return nodes.builder()
                .seedMode(mode)
                .prefix(mode == SeedMode.CLOCK ? "fenced-write" : "zero")
                // the nodes of this test do not write to disk at once
                .preflight(PreflightMode.REPORT)
                .build();
    }

    @Test
    void aLeaseThatAnotherHasTakenOverIsLost() {
        Lease lease = locks.acquire("r", TTL, Duration.ZERO);
        Raw.onAll(nodes, jedis -> jedis.set("fenced-write:r:lock", "somebody else"));
        assertThat(lease.reportStale(lease.token().value() + 1)).isEqualTo(StaleVerdict.LOST);
        assertThat(lease.isValid()).isFalse();
        assertThat(counter(0)).isEqualTo(lease.token().value());
    }

    @Test
    void aLeaseThatAQuorumStillHasLiftsTheCountersAboveTheStoredToken() {
        Lease lease = locks.acquire("r", TTL, Duration.ZERO);
        long stored = lease.token().value() + 1_000_000;
        assertThat(lease.reportStale(stored)).isEqualTo(StaleVerdict.LIFTED);
        lease.close();
        assertThat(locks.acquire("r", TTL, Duration.ZERO).token().value()).isGreaterThan(stored);
    }

    @Test
    void withTooFewNodesItCannotBeTold() {
        Lease lease = locks.acquire("r", TTL, Duration.ZERO);
        nodes.get(0).pause();
        nodes.get(1).pause();
        assertThat(lease.reportStale(lease.token().value() + 1)).isEqualTo(StaleVerdict.STALE);
    }

    @Test
    void aReleasedLeaseIsLost() {
        Lease lease = locks.acquire("r", TTL, Duration.ZERO);
        lease.close();
        assertThat(lease.reportStale(lease.token().value() + 1)).isEqualTo(StaleVerdict.LOST);
    }

    @Test
    void nothingIsLiftedTowardsAPoisonedRow() {
        Lease lease = locks.acquire("r", TTL, Duration.ZERO);
        long dayAhead = TimeUnit.SECONDS.toMicros(Instant.now().getEpochSecond() + 86_460);
        for (long stored : new long[] {dayAhead, (1L << 53) - (1L << 20), Long.MAX_VALUE}) {
            assertThatThrownBy(() -> lease.reportStale(stored))
                    .isInstanceOf(PoisonedTokenException.class)
                    .hasMessageContaining("fencing.rebase")
                    .hasMessageContaining(Long.toString(stored));
        }
        assertThat(counter(0)).isEqualTo(lease.token().value());
    }

    @Test
    void withoutSeedsTheLimitIsJustBelowTheLargestToken() {
        locks.close();
        locks = client(SeedMode.ZERO);
        Lease lease = locks.acquire("zero", TTL, Duration.ZERO);
        assertThat(lease.token().value()).isEqualTo(1);
        assertThat(lease.reportStale(1L << 40)).isEqualTo(StaleVerdict.LIFTED);
        assertThatThrownBy(() -> lease.reportStale((1L << 53) - (1L << 20))).isInstanceOf(PoisonedTokenException.class);
    }

    @Test
    void theLeasesOwnTokenIsNoRegression() {
        Lease lease = locks.acquire("r", TTL, Duration.ZERO);
        assertThat(lease.reportStale(lease.token().value())).isEqualTo(StaleVerdict.OWN_TOKEN);
        assertThat(counter(0)).isEqualTo(lease.token().value());
        assertThat(lease.isValid()).isTrue();
        lease.close();
        assertThat(lease.reportStale(lease.token().value())).isEqualTo(StaleVerdict.LOST);
    }

    @Test
    void aSmallerStoredTokenIsNoReasonToRefuse() {
        Lease lease = locks.acquire("r", TTL, Duration.ZERO);
        assertThatThrownBy(() -> lease.reportStale(lease.token().value() - 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static long counter(int node) {
        return Long.parseLong(Raw.on(nodes.get(node), jedis -> jedis.get("fenced-write:r:token")));
    }
}
