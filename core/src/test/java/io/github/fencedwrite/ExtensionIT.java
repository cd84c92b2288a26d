package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an extension by hand answers. */
@Tag("jedis")
class ExtensionIT {

    private static final Duration TTL = Duration.ofSeconds(20);

    @RegisterExtension
    static final TestNodes nodes = new TestNodes(3);

    private FencedLocks locks;

    @BeforeEach
    void connect() {
        locks = nodes.client();
    }

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void ofAHeldLeaseGivesItANewTtlUnderTheSameToken() {
        Lease lease = locks.acquire("r", TTL, Duration.ZERO);
        FencingToken token = lease.token();
        Duration before = TTL.minusMillis(500);
        await().until(() -> lease.remaining().compareTo(before) < 0);
        assertThat(lease.extend()).isEqualTo(ExtensionResult.EXTENDED);
        assertThat(lease.remaining()).isGreaterThan(before);
        assertThat(lease.token()).isEqualTo(token);
    }

    @Test
    void ofAReleasedLeaseChangesNothing() {
        Lease lease = locks.acquire("r", TTL, Duration.ZERO);
        lease.close();
        assertThat(lease.extend()).isEqualTo(ExtensionResult.LOST);
        assertThat(lease.isValid()).isFalse();
        nodes.awaitNoLocks();
    }

    @Test
    void ofALeaseThatAnotherHasTakenOverSaysThatItIsLost() {
        Lease lease = locks.acquire("r", TTL, Duration.ZERO);
        assertThat(locks.forceRelease("r")).isEqualTo(ReleaseResult.RELEASED);
        assertThat(lease.extend()).isEqualTo(ExtensionResult.LOST);
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.extend()).isEqualTo(ExtensionResult.LOST);
    }

    @Test
    void withTooFewNodesIsUnconfirmedAndKeepsTheOldValidity() {
        Lease lease = locks.acquire("r", TTL, Duration.ZERO);
        nodes.get(0).pause();
        nodes.get(1).pause();
        assertThat(lease.extend()).isEqualTo(ExtensionResult.UNCONFIRMED);
        assertThat(lease.isValid()).isTrue();
    }
}
