package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.examples.servers.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nodes that are far away. */
class SlowNodesIT {

    @RegisterExtension
    static final TestNodes nodes = new TestNodes(3);

    private final List<Proxy> proxies = new ArrayList<>();

    @BeforeEach
    void start() {
        nodes.all().forEach(node -> proxies.add(Proxy.to(node)));
    }

    @AfterEach
    void stop() {
        proxies.forEach(Proxy::close);
    }

    private FencedLocks client() {
        return nodes.builder()
                .nodes(proxies.stream().map(Proxy::uri).toList())
                .nodeTimeout(Duration.ofSeconds(1))
                .build();
    }

    private void answerAfter(int millis) {
        proxies.forEach(proxy -> proxy.delay(Duration.ZERO, Duration.ofMillis(millis)));
    }

    @Test
    void aSlowNodeIsAskedAtTheSameTimeAsTheOthersNotAfterThem() {
        try (FencedLocks locks = client()) {
            locks.acquire("warm", Duration.ofSeconds(5), Duration.ZERO).close();
            answerAfter(40);
            long begun = System.nanoTime();
            // one after the other, three nodes would take 120 ms and nothing would be left of the ttl
            Lease lease = locks.acquire("r", Duration.ofMillis(100), Duration.ZERO);
            assertThat(lease.isValid()).isTrue();
            assertThat(millisSince(begun)).isLessThan(95);
            lease.close();
        }
    }

    @Test
    void successIsOnlyReportedWithValidityLeftAndAFailureLeavesNoKey() {
        try (FencedLocks locks = client()) {
            locks.acquire("warm", Duration.ofSeconds(5), Duration.ZERO).close();
            answerAfter(120);
            try {
                Lease lease = locks.acquire("r", Duration.ofMillis(100), Duration.ZERO);
                assertThat(lease)
                        .as("a lease that ran out before it was handed out")
                        .isNull();
            } catch (LockNotAcquiredException e) {
                assertThat(e.reason()).isEqualTo(LockNotAcquiredException.Reason.TIMEOUT);
                assertThat(e).hasMessageContaining("nothing was left of the ttl");
            }
            answerAfter(0);
            nodes.awaitNoLocks();
        }
    }

    @Test
    void anAnswerThatNobodyWaitedForIsReadByTheSweeperSoThatALateNodeIsLifted() {
        try (FencedLocks locks = client()) {
            locks.acquire("warm", Duration.ofSeconds(5), Duration.ZERO).close();
            Raw.setCounter(nodes.get(2), "r", "5");
            proxies.get(2).delay(Duration.ZERO, Duration.ofMillis(150));
            try (Lease lease = locks.acquire("r", Duration.ofSeconds(20), Duration.ZERO)) {
                String token = lease.token().toString();
                await().until(() -> token.equals(Raw.get(nodes.get(2), "fenced-write:r:token")));
            }
        }
    }

    @Test
    void theNextUserOfAConnectionReadsWhatWasLeftUnreadSoThatASlowNodeNeedsNoMoreConnections() {
        try (FencedLocks locks = client()) {
            locks.acquire("warm", Duration.ofSeconds(5), Duration.ZERO).close();
            proxies.get(2).delay(Duration.ZERO, Duration.ofMillis(60));
            long before = proxies.get(2).counters().connections();
            for (int i = 0; i < 30; i++) {
                locks.acquire("r" + i, Duration.ofSeconds(5), Duration.ZERO).close();
            }
            assertThat(proxies.get(2).counters().connections()).isEqualTo(before);
        }
    }

    @Test
    void acquireAndReleaseTakeOneRoundTripEach() {
        try (FencedLocks locks = client()) {
            locks.acquire("warm", Duration.ofSeconds(5), Duration.ZERO).close();
            answerAfter(20);
            List<Long> durations = new ArrayList<>();
            for (int i = 0; i < 15; i++) {
                long begun = System.nanoTime();
                locks.acquire("r", Duration.ofSeconds(5), Duration.ZERO).close();
                durations.add(millisSince(begun));
            }
            durations.sort(null);
            assertThat(durations.get(7)).as("median in ms of %s", durations).isBetween(40L, 50L);
        }
    }

    private static long millisSince(long begun) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
    }
}
