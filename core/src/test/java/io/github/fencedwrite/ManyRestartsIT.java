package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.examples.servers.Data;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** The only node of a client is killed again and again, under a thousand leases. */
class ManyRestartsIT {

    private static final int LEASES = 1_000;
    private static final int RESTARTS = 20;

    @Test
    void everyLeaseIsRenewedOrToldLostAndTheClientStaysOfUse() {
        Set<Thread> before = CloseIT.ourThreads();
        Set<String> lost = ConcurrentHashMap.newKeySet();
        try (RedisNodes nodes = RedisNodes.start(1)) {
            FencedLocks locks = FencedLocks.builder()
                    .nodes(nodes.uris())
                    .nodeTimeout(Duration.ofSeconds(1))
                    .quarantine(false)
                    .build();
            List<Lease> leases = new ArrayList<>();
            for (int i = 0; i < LEASES; i++) {
                leases.add(acquire(locks, lost, i));
            }
            for (int restart = 0; restart < RESTARTS; restart++) {
                nodes.get(0).kill();
                nodes.get(0).restart(Data.KEPT);
                long then = System.nanoTime();
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> leases.stream()
                                .allMatch(lease -> lost.contains(name(lease)) || extendedSince(lease, then)));
                leases.removeIf(lease -> lost.contains(name(lease)));
                while (leases.size() < LEASES) {
                    leases.add(acquire(locks, lost, restart * 10_000 + 10_000 + leases.size()));
                }
            }
            long begun = System.nanoTime();
            locks.acquireAsync(LeaseRequest.of("afterwards", Duration.ofSeconds(5)), Duration.ofSeconds(10))
                    .join()
                    .close();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
            locks.close();
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> before.containsAll(CloseIT.ourThreads()));
    }

    private static Lease acquire(FencedLocks locks, Set<String> lost, int number) {
        String resource = "restarts-" + number + "-" + "x".repeat(200 + number % 700);
        return locks.acquire(
                LeaseRequest.of(resource, Duration.ofSeconds(3))
                        .renewFor(Duration.ofMinutes(10))
                        .onLost(lease -> lost.add(name(lease))),
                Duration.ofSeconds(20));
    }

    private static String name(Lease lease) {
        return lease.resource() + " " + lease.token();
    }

    /** More is left than an extension from before would have left. */
    private static boolean extendedSince(Lease lease, long then) {
        Duration since = Duration.ofNanos(System.nanoTime() - then);
        return lease.isValid() && lease.remaining().plus(since).compareTo(Duration.ofMillis(2_968)) > 0;
    }
}
