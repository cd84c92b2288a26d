package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.LockNotAcquiredException.Reason;
import io.github.fencedwrite.examples.servers.Data;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("contract")
@Tag("jedis")
class AcquireAndReleaseIT {

    private static final Duration TTL = Duration.ofSeconds(10);

    @RegisterExtension
    final TestNodes nodes = new TestNodes(3);

    private FencedLocks a;
    private FencedLocks b;

    @BeforeEach
    void connect() {
        a = nodes.client();
        b = nodes.client();
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
    }

    @Test
    void secondClientCannotAcquireWhileTheFirstHoldsAndCanAfterRelease() {
        Lease first = a.acquire("sku:4711", TTL, Duration.ZERO);
        assertThat(first.isValid()).isTrue();
        assertThat(first.remaining()).isLessThan(TTL).isGreaterThan(Duration.ofSeconds(9));
        assertThat(b.tryAcquire("sku:4711", TTL)).isEmpty();
        assertThatThrownBy(() -> b.acquire("sku:4711", TTL, Duration.ZERO))
                .isInstanceOfSatisfying(
                        LockNotAcquiredException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.CONTENDED))
                .hasMessageContaining("sku:4711")
                .hasMessageContaining("another owner holds it on at least");

        assertThat(first.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(first.isValid()).isFalse();

        Lease second = b.acquire("sku:4711", TTL, Duration.ZERO);
        assertThat(second.token()).isGreaterThan(first.token());
        assertThat(second.token().isNewerThan(first.token())).isTrue();
        second.close();
        nodes.assertNoLocks();
    }

    @Test
    void acquiresWithOneOfThreeNodesDown() {
        nodes.get(1).kill();
        try (Lease lease = a.acquire("r", TTL, Duration.ZERO)) {
            assertThat(lease.isValid()).isTrue();
        }
        assertThat(Raw.locks(nodes.get(0))).isEmpty();
        assertThat(Raw.locks(nodes.get(2))).isEmpty();
    }

    @Test
    void neverAcquiresWithTwoOfThreeNodesDownAndSaysWhichNodes() {
        nodes.get(0).kill();
        nodes.get(1).kill();
        assertThatThrownBy(() -> a.acquire("r", TTL, Duration.ZERO))
                .isInstanceOfSatisfying(LockNotAcquiredException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.NO_QUORUM);
                    assertThat(e.nodeFailures()).containsOnlyKeys(nodes.name(0), nodes.name(1));
                });
        // at first the connection is lost; the probe in the background then finds that nothing listens any more
        await().untilAsserted(() -> assertThatThrownBy(() -> a.acquire("r", TTL, Duration.ZERO))
                .isInstanceOfSatisfying(LockNotAcquiredException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.NO_QUORUM);
                    assertThat(e.nodeFailures().get(nodes.name(0)).reason()).isEqualTo(NodeFailure.Reason.REFUSED);
                }));
        await().atMost(Duration.ofSeconds(2))
                .until(() -> Raw.locks(nodes.get(2)).isEmpty());
    }

    @Test
    void anUnreachableQuorumIsNotTakenForAnotherHolder() {
        nodes.get(0).kill();
        nodes.get(1).kill();
        assertThatThrownBy(() -> a.tryAcquire("r", TTL)).isInstanceOf(LockNotAcquiredException.class);
    }

    @Test
    void comesBackByItselfWhenTheNodesDo() {
        nodes.get(0).kill();
        nodes.get(1).kill();
        assertThatThrownBy(() -> a.acquire("r", TTL, Duration.ZERO)).isInstanceOf(LockNotAcquiredException.class);
        nodes.get(0).restart(Data.LOST);
        nodes.get(1).restart(Data.KEPT);
        try (Lease lease = a.acquire("r", TTL, Duration.ofSeconds(8))) {
            assertThat(lease.isValid()).isTrue();
        }
    }

    @Test
    void waitsForTheOtherHolder() {
        Lease first = a.acquire("r", TTL, Duration.ZERO);
        Thread releaser = new Thread(first::close);
        releaser.start();
        try (Lease second = b.acquire("r", TTL, Duration.ofSeconds(5))) {
            assertThat(second.token()).isGreaterThan(first.token());
        }
    }
}
