package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.examples.servers.RedisNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What is left of a client that was closed: nothing. */
class CloseIT {

    private static final Duration TTL = Duration.ofSeconds(5);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    @Test
    void closingReleasesThreadsConnectionsAndSubscriptions() {
        Set<Thread> before = ourThreads();
        try (RedisNodes nodes = RedisNodes.start(3)) {
            List<Long> connectionsBefore = connections(nodes);
            FencedLocks locks = client(nodes, new LeaseListener() {});
            Lease lease = locks.acquire(
                    LeaseRequest.of("r", TTL).renewFor(Duration.ofMinutes(1)).onLost(any -> {}), Duration.ZERO);
            Raw.onAll(nodes, jedis -> jedis.psetex("fenced-write:taken:lock", 60_000, "somebody"));
            CompletableFuture<Lease> waiting =
                    locks.acquireAsync(LeaseRequest.of("taken", TTL), Duration.ofSeconds(20));
            await().until(() -> Raw.onAll(nodes, jedis -> jedis.pubsubChannels("*")).stream()
                    .anyMatch(channels -> !channels.isEmpty()));
            locks.close();
            await().atMost(Duration.ofSeconds(5)).until(() -> connections(nodes).equals(connectionsBefore));
            await().atMost(Duration.ofSeconds(15)).until(() -> before.containsAll(ourThreads()));
            assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
            assertThatThrownBy(() -> waiting.get(2, java.util.concurrent.TimeUnit.SECONDS))
                    .as("a caller that still waits is told")
                    .hasCauseInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void leasesThatAreHeldAreReleasedWithinANodesTimeout() {
        Queue<String> told = new ConcurrentLinkedQueue<>();
        try (RedisNodes nodes = RedisNodes.start(3)) {
            FencedLocks locks = client(nodes, abandonedTo(told));
            List<Lease> leases = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                leases.add(locks.acquire(
                        LeaseRequest.of("held-" + i, TTL)
                                .renewFor(Duration.ofMinutes(1))
                                .onLost(lease -> told.add("lost " + lease.resource())),
                        Duration.ZERO));
            }
            long begun = System.nanoTime();
            locks.close();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(TIMEOUT);
            nodes.all().forEach(node -> await().until(() -> Raw.locks(node).isEmpty()));
            assertThat(leases)
                    .noneMatch(Lease::isValid)
                    .allSatisfy(lease -> assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED));
        }
        assertThat(told).isEmpty();
    }

    @Test
    void leasesThatCannotBeReleasedAreReportedAndCountAsLost() {
        Queue<String> told = new ConcurrentLinkedQueue<>();
        try (RedisNodes nodes = RedisNodes.start(1)) {
            FencedLocks locks = client(nodes, abandonedTo(told));
            locks.acquire("given back", TTL, Duration.ZERO).close();
            Lease lease = locks.acquire(
                    LeaseRequest.of("held", Duration.ofSeconds(20)).onLost(it -> told.add("lost " + it.resource())),
                    Duration.ZERO);
            nodes.get(0).pause();
            locks.close();
            locks.close();
            await().until(() -> told.size() == 2);
            assertThat(lease.isValid()).isFalse();
            nodes.get(0).resume();
        }
        assertThat(told).containsExactlyInAnyOrder("abandoned held", "lost held");
    }

    @Test
    void waitersEndAtOnceWithTheReason() throws InterruptedException {
        try (RedisNodes nodes = RedisNodes.start(1)) {
            FencedLocks locks = client(nodes, new LeaseListener() {});
            FencedLocks other = client(nodes, new LeaseListener() {});
            other.acquire("r", Duration.ofSeconds(20), Duration.ZERO);
            Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
            List<Thread> waiters = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                Thread waiter = new Thread(() -> {
                    try {
                        locks.acquire("r", TTL, Duration.ofSeconds(30));
                    } catch (RuntimeException e) {
                        thrown.add(e);
                    }
                });
                waiter.start();
                waiters.add(waiter);
            }
            await().until(() -> Raw.onAll(nodes, jedis -> jedis.pubsubChannels("*")).stream()
                    .anyMatch(channels -> !channels.isEmpty()));
            locks.close();
            for (Thread waiter : waiters) {
                waiter.join(5_000);
            }
            assertThat(thrown)
                    .hasSize(20)
                    .allSatisfy(e -> assertThat(e)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("closed"));
            other.close();
        }
    }

    private static LeaseListener abandonedTo(Queue<String> told) {
        return new LeaseListener() {
            @Override
            public void abandoned(Lease lease) {
                told.add("abandoned " + lease.resource());
            }
        };
    }

    @Test
    void theSteadyStateOpensNoConnections() {
        try (RedisNodes nodes = RedisNodes.start(3);
                FencedLocks locks = client(nodes, new LeaseListener() {})) {
            for (int i = 0; i < 20; i++) {
                locks.acquire("r", TTL, Duration.ZERO).close();
            }
            List<Long> before = received(nodes);
            for (int i = 0; i < 500; i++) {
                locks.acquire("r", TTL, Duration.ZERO).close();
            }
            // one more each for this very question
            assertThat(received(nodes))
                    .isEqualTo(before.stream().map(count -> count + 1).toList());
        }
    }

    private static FencedLocks client(RedisNodes nodes, LeaseListener listener) {
        return FencedLocks.builder()
                .nodes(nodes.uris())
                .nodeTimeout(TIMEOUT)
                .quarantine(false)
                .listener(listener)
                .build();
    }

    static Set<Thread> ourThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("fenced-write"))
                .collect(Collectors.toSet());
    }

    private static List<Long> connections(RedisNodes nodes) {
        return info(nodes, "clients", "connected_clients:");
    }

    private static List<Long> received(RedisNodes nodes) {
        return info(nodes, "stats", "total_connections_received:");
    }

    private static List<Long> info(RedisNodes nodes, String section, String field) {
        List<Long> values = new ArrayList<>();
        for (String text : Raw.onAll(nodes, jedis -> jedis.info(section))) {
            text.lines()
                    .filter(line -> line.startsWith(field))
                    .forEach(line -> values.add(Long.parseLong(line.substring(field.length()))));
        }
        return values;
    }
}
