package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.LockNotAcquiredException.Reason;
import io.github.fencedwrite.examples.servers.Data;
import io.github.fencedwrite.examples.servers.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nodes that restart, forget or disagree. */
class NodesIT {

    private static final Duration TTL = Duration.ofMillis(900);

    @RegisterExtension
    final TestNodes nodes = new TestNodes(3);

    /** With quarantine, unlike other tests: it is on by default, and what many of these are about. */
    private FencedLocksBuilder builder() {
        return FencedLocks.builder().nodes(nodes.uris()).maxTtl(Duration.ofSeconds(1));
    }

    @Test
    void freshNodesDoNotVoteUntilEveryLockTheyMayHaveForgottenHasRunOut() {
        try (FencedLocks locks = builder().build()) {
            assertThatThrownBy(() -> locks.acquire("r", TTL, Duration.ZERO))
                    .isInstanceOfSatisfying(LockNotAcquiredException.class, e -> {
                        assertThat(e.reason()).isEqualTo(Reason.NO_QUORUM);
                        assertThat(e.nodeFailures().values())
                                .extracting(NodeFailure::reason)
                                .contains(NodeFailure.Reason.QUARANTINED);
                    })
                    .hasMessageContaining("votes again in");
            assertThat(locks.nodeStatuses())
                    .allSatisfy(status -> assertThat(status.quarantinedFor()).isPositive());
            // a positive wait waits it out
            locks.acquire("r", TTL, Duration.ofSeconds(6)).close();
            await().until(() -> locks.nodeStatuses().stream()
                    .allMatch(status -> status.quarantinedFor().isZero()));
        }
    }

    @Test
    void aRestartedNodeThatForgotItsLocksMakesNoSecondMajority() {
        try (FencedLocks a = builder().build();
                FencedLocks b = builder().build()) {
            awaitVotes(a);
            awaitVotes(b);
            nodes.get(2).pause();
            Lease held = a.acquire("r", TTL, Duration.ZERO);
            // the holder hangs from here on, and brings no node up to its lock any more
            a.close();
            nodes.get(2).kill();
            nodes.get(2).restart(Data.LOST);
            nodes.get(1).kill();
            nodes.get(1).restart(Data.LOST);
            while (held.isValid()) {
                boolean second = acquires(b);
                assertThat(second && held.isValid())
                        .as("a second holder while the first is valid")
                        .isFalse();
            }
        }
    }

    private static boolean acquires(FencedLocks locks) {
        try {
            return locks.tryAcquire("r", TTL).isPresent();
        } catch (LockNotAcquiredException e) {
            assertThat(e.reason()).isEqualTo(Reason.NO_QUORUM);
            return false;
        }
    }

    @Test
    void aNodeInQuarantineIsReleasedAndLiftedButNotToppedUp() {
        try (FencedLocks locks = builder().build()) {
            awaitVotes(locks);
            nodes.get(0).kill();
            nodes.get(0).restart(Data.KEPT);
            Raw.on(nodes.get(0), jedis -> jedis.set("fenced-write:r:token", "1"));
            Lease lease = locks.acquire("r", TTL, Duration.ZERO);
            await().until(() -> Raw.on(nodes.get(0), jedis -> jedis.get("fenced-write:r:token"))
                    .equals(lease.token().toString()));
            assertThat(Raw.locks(nodes.get(0))).isEmpty();
            lease.close();
        }
    }

    @Test
    void quarantineEndsByTheClientsOwnClockEvenIfUptimeJumps() {
        try (FencedLocks locks = builder().build()) {
            awaitVotes(locks);
            String before = locks.nodeStatuses().get(0).runId();
            nodes.get(0).kill();
            nodes.get(0).restart(Data.LOST);
            // the loss shows at the next use
            locks.acquire("r", TTL, Duration.ZERO).close();
            await().until(() -> !locks.nodeStatuses().get(0).runId().equals(before));
            assertThat(locks.nodeStatuses().get(0).quarantinedFor()).isPositive();
        }
    }

    @Test
    void aClientWithOtherNodesOrSettingsIsRefusedWithBothSidesShown() {
        try (FencedLocks first = builder().quarantine(false).build()) {
            first.acquire("r", TTL, Duration.ZERO).close();
            FencedLocksBuilder otherTtl = builder().quarantine(false).maxTtl(Duration.ofSeconds(2));
            assertThatThrownBy(otherTtl::build)
                    .isInstanceOf(PreflightException.class)
                    .hasMessageContaining("maxTtl=1000ms")
                    .hasMessageContaining("maxTtl=2000ms");
            try (FencedLocks fewer = builder()
                    .quarantine(false)
                    .nodes(nodes.uris().subList(0, 1))
                    .preflight(PreflightMode.OFF)
                    .build()) {
                assertThatThrownBy(() -> fewer.acquire("r", TTL, Duration.ofSeconds(5)))
                        .isInstanceOfSatisfying(
                                LockNotAcquiredException.class,
                                e -> assertThat(e.reason()).isEqualTo(Reason.MISCONFIGURED))
                        .hasMessageContaining("nodes=1")
                        .hasMessageContaining("nodes=3");
            }
            try (FencedLocks otherOrder = builder()
                    .quarantine(false)
                    .nodes(
                            nodes.uris().get(2),
                            nodes.uris().get(0),
                            nodes.uris().get(1))
                    .build()) {
                otherOrder.acquire("r", TTL, Duration.ZERO).close();
            }
        }
    }

    @Test
    void aRunningClientNoticesWithinSecondsThatTheMembershipChangedAndWritesOneThatIsGone() {
        String key = "fenced-write:membership";
        try (FencedLocks locks = builder().quarantine(false).build()) {
            token(locks);
            Raw.on(nodes.get(0), jedis -> jedis.set(key, "nodes=9, for example"));
            Raw.on(nodes.get(1), jedis -> jedis.del(key));
            await().atMost(Duration.ofSeconds(40))
                    .untilAsserted(() -> assertThatThrownBy(() -> locks.acquire("r", TTL, Duration.ZERO))
                            .isInstanceOfSatisfying(
                                    LockNotAcquiredException.class,
                                    e -> assertThat(e.reason()).isEqualTo(Reason.MISCONFIGURED))
                            .hasMessageContaining("nodes=9, for example"));
            await().until(() -> Raw.on(nodes.get(1), jedis -> jedis.exists(key)));
        }
    }

    @Test
    void tokensGoOnAfterOneNodeAndThenAMajorityForgets() {
        try (FencedLocks locks = builder().quarantine(false).build()) {
            FencingToken last = token(locks);
            Raw.on(nodes.get(0), jedis -> jedis.flushAll());
            FencingToken next = token(locks);
            assertThat(next).isGreaterThan(last);
            last = next;
            Raw.on(nodes.get(0), jedis -> jedis.flushAll());
            Raw.on(nodes.get(1), jedis -> jedis.flushAll());
            next = token(locks);
            assertThat(next).isGreaterThan(last);
            last = next;
            nodes.all().forEach(node -> {
                node.kill();
                node.restart(Data.LOST);
            });
            Lease lease = locks.acquire("r", TTL, Duration.ofSeconds(5));
            assertThat(lease.token()).isGreaterThan(last);
            lease.close();
        }
    }

    @Test
    void aCounterThatWentBackOverARestartStartsFromTheSeed() {
        try (FencedLocks locks = builder().quarantine(false).build()) {
            FencingToken last = token(locks);
            String old = Long.toString(last.value() - 4);
            nodes.all().forEach(node -> {
                node.kill();
                node.restart(Data.KEPT);
                // what Redis's default persistence does: an older value under the old run id
                Raw.on(node, jedis -> jedis.set("fenced-write:r:token", old));
            });
            Lease lease = locks.acquire("r", TTL, Duration.ofSeconds(5));
            assertThat(lease.token()).isGreaterThan(last);
            lease.close();
        }
    }

    @Test
    void aNodeThatMissedTheTokenIsLiftedToItAfterwards() {
        try (FencedLocks locks = builder().quarantine(false).build()) {
            Raw.setCounter(nodes.get(1), "r", "5");
            Lease lease = locks.acquire("r", TTL, Duration.ZERO);
            String token = lease.token().toString();
            await().atMost(2, TimeUnit.SECONDS)
                    .until(() -> Raw.onAll(nodes, jedis -> jedis.get("fenced-write:r:token"))
                            .equals(List.of(token, token, token)));
            lease.close();
        }
    }

    @Test
    void aNodeThatWasDownIsBroughtUpToTheTokenOnceItIsBack() {
        try (FencedLocks locks = builder().quarantine(false).build()) {
            token(locks);
            nodes.get(0).kill();
            locks.acquire("notices", TTL, Duration.ZERO).close();
            await().until(() -> !locks.nodeStatuses().get(0).up());
            FencingToken token = token(locks);
            nodes.get(0).restart(Data.KEPT);
            await().atMost(8, TimeUnit.SECONDS)
                    .until(() -> token.toString().equals(Raw.get(nodes.get(0), "fenced-write:r:token")));
            assertThat(Raw.locks(nodes.get(0))).isEmpty();
        }
    }

    @Test
    void aMuteNodeIsProbedByOneConnectionAtATimeWithGrowingPauses() {
        try (Proxy proxy = Proxy.to(nodes.get(0))) {
            proxy.mute();
            long begun = System.nanoTime();
            try (FencedLocks locks = nodes.builder()
                    .nodes(proxy.uri(), nodes.uris().get(1), nodes.uris().get(2))
                    .nodeTimeout(Duration.ofMillis(100))
                    .preflight(PreflightMode.OFF)
                    .build()) {
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> proxy.counters().connections() >= 8);
                // eight timeouts, and pauses of 25 to 1,600 ms of which a half is random; without them 0.8 s
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(1_600));
                // callers open none, however many there are
                for (int i = 0; i < 300; i++) {
                    locks.acquire("r", TTL, Duration.ofSeconds(10)).close();
                }
                assertThat(proxy.counters().connections()).isLessThan(20);
                proxy.open();
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> locks.nodeStatuses().get(0).up());
            }
        }
    }

    @Test
    void statusesShowWhatIsDownAndWhy() {
        try (FencedLocks locks = builder().quarantine(false).build()) {
            nodes.get(1).kill();
            locks.acquire("r", TTL, Duration.ZERO).close();
            await().until(() -> !locks.nodeStatuses().get(1).up());
            assertThat(locks.nodeStatuses()).extracting(NodeStatus::up).containsExactly(true, false, true);
            assertThat(locks.nodeStatuses().get(1).lastFailure()).isPresent();
            assertThat(locks.nodeStatuses().get(0).version()).startsWith("6.2");
            assertThat(locks.nodeStatuses().get(0).latency()).isPositive();
            nodes.get(1).restart(Data.KEPT);
            await().atMost(8, TimeUnit.SECONDS)
                    .until(() -> locks.nodeStatuses().get(1).up());
            assertThat(locks.nodeStatuses().get(1).lastFailure()).isPresent();
        }
    }

    private static void awaitVotes(FencedLocks locks) {
        await().until(() -> locks.nodeStatuses().stream()
                .allMatch(status -> status.up() && status.quarantinedFor().isZero()));
    }

    private static FencingToken token(FencedLocks locks) {
        try (Lease lease = locks.acquire("r", TTL, Duration.ZERO)) {
            return lease.token();
        }
    }
}
