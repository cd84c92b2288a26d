package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.examples.servers.RedisNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What is left of a client that was closed: nothing. */
class CloseIT {

    private static final Duration TTL = Duration.ofSeconds(5);

    @Test
    void closingReleasesThreadsConnectionsAndSubscriptions() {
        Set<Thread> before = ourThreads();
        try (RedisNodes nodes = RedisNodes.start(3)) {
            List<Long> connectionsBefore = connections(nodes);
            FencedLocks locks = client(nodes, new LeaseListener() {});
            Lease lease = locks.acquire(
                    LeaseRequest.of("r", TTL).renewFor(Duration.ofMinutes(1)).onLost(any -> {}), Duration.ZERO);
            CompletableFuture<Lease> waiting = locks.acquireAsync(LeaseRequest.of("r", TTL), Duration.ofSeconds(20));
            await().until(() -> connections(nodes).stream().anyMatch(count -> count > connectionsBefore.get(0) + 1));
            locks.close();
            await().atMost(Duration.ofSeconds(5)).until(() -> connections(nodes).equals(connectionsBefore));
            await().atMost(Duration.ofSeconds(15)).until(() -> before.containsAll(ourThreads()));
            assertThat(lease.release()).isEqualTo(ReleaseResult.UNCONFIRMED);
            assertThatThrownBy(() -> waiting.get(2, java.util.concurrent.TimeUnit.SECONDS))
                    .as("a caller that still waits is told")
                    .hasCauseInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void leasesInHandAreReportedNotSilentlyDropped() {
        ConcurrentLinkedQueue<String> told = new ConcurrentLinkedQueue<>();
        try (RedisNodes nodes = RedisNodes.start(1)) {
            FencedLocks locks = client(nodes, new LeaseListener() {
                @Override
                public void abandoned(Lease lease) {
                    told.add(lease.resource());
                }
            });
            locks.acquire("given back", TTL, Duration.ZERO).close();
            locks.acquire("in hand", TTL, Duration.ZERO);
            locks.close();
            locks.close();
        }
        assertThat(told).containsExactly("in hand");
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
