package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.examples.servers.Data;
import io.github.fencedwrite.examples.servers.RedisNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that accepts everything and answers nothing: it must not slow anybody down nor keep a lock without an owner. */
class FrozenNodeIT {

    private static final Duration TTL = Duration.ofSeconds(20);
    private static final Duration NODE_TIMEOUT = Duration.ofMillis(100);

    @RegisterExtension
    final TestNodes nodes = new TestNodes(5);

    private FencedLocks locks;

    @BeforeEach
    void connect() {
        locks = nodes.builder().nodeTimeout(NODE_TIMEOUT).build();
    }

    @AfterEach
    void close() {
        locks.close();
    }

    /** Before its timeout, around it, and long after it, when its connection was closed with the acquire in it. */
    @ParameterizedTest
    @ValueSource(ints = {0, 50, 100, 400})
    void aNodeFrozenBetweenAcquireAndReleaseKeepsNoLockAfterItWakes(int millisUntilRelease) {
        for (int i = 0; i < 5; i++) {
            RedisNode frozen = nodes.get(i);
            locks.acquire("warm", TTL, Duration.ZERO).close();
            frozen.pause();
            Lease lease = locks.acquire("r" + i, TTL, Duration.ZERO);
            long releaseAt = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millisUntilRelease);
            await().pollInterval(Duration.ofMillis(5)).until(() -> System.nanoTime() - releaseAt >= 0);
            lease.close();
            frozen.resume();
        }
        nodes.awaitNoLocks();
    }

    @Test
    void aRefusedAttemptLeavesNothingOnANodeThatWakesLater() {
        locks.acquire("warm", TTL, Duration.ZERO).close();
        for (int i = 0; i < 3; i++) {
            nodes.get(i).pause();
        }
        try {
            locks.acquire("r", TTL, Duration.ofMillis(350)).close();
        } catch (LockNotAcquiredException e) {
            assertThat(e.nodeFailures()).hasSizeGreaterThanOrEqualTo(2);
        }
        nodes.all().forEach(RedisNode::resume);
        nodes.awaitNoLocks();
    }

    @Test
    void aMuteNodeCostsNothing() {
        long healthy = percentile99(300);
        nodes.get(0).pause();
        long withMuteNode = percentile99(300);
        // a busy machine has hiccups of its own, but a node timeout per call would show as 100 ms more in each
        assertThat(withMuteNode)
                .as("99th percentile with a mute node")
                .isLessThan(Math.max(3 * healthy, TimeUnit.MILLISECONDS.toNanos(60)));
    }

    private long percentile99(int rounds) {
        List<Long> durations = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            long begun = System.nanoTime();
            locks.acquire("speed", TTL, Duration.ZERO).close();
            durations.add(System.nanoTime() - begun);
        }
        Collections.sort(durations);
        return durations.get(rounds * 99 / 100);
    }

    @Test
    void aNodeThatComesBackVotesAgain() {
        nodes.get(0).pause();
        locks.acquire("r", TTL, Duration.ZERO).close();
        await().until(() -> !locks.nodeStatuses().get(0).up());
        nodes.get(0).resume();
        await().atMost(Duration.ofSeconds(8))
                .until(() -> locks.nodeStatuses().get(0).up());
        nodes.get(3).kill();
        nodes.get(4).kill();
        locks.acquire("r", TTL, Duration.ofSeconds(2)).close();
    }

    @Test
    void aHolderOnABareMajorityKeepsTheLockWhenOneOfThoseNodesRestarts() {
        nodes.get(3).pause();
        nodes.get(4).pause();
        Lease lease = locks.acquire(
                LeaseRequest.of("r", Duration.ofMillis(1_500)).renewFor(Duration.ofMinutes(1)), Duration.ZERO);
        nodes.get(3).resume();
        nodes.get(4).resume();
        // the two that were silent are locked for this lease as well, so that the loss of one is borne
        await().atMost(Duration.ofSeconds(6))
                .until(() ->
                        nodes.all().stream().allMatch(node -> Raw.locks(node).size() == 1));
        nodes.get(0).kill();
        nodes.get(0).restart(Data.LOST);
        await().during(Duration.ofSeconds(2)).atMost(Duration.ofSeconds(4)).until(lease::isValid);
        lease.close();
    }
}
