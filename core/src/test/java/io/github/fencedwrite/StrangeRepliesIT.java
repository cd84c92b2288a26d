package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.examples.servers.RandomInputs;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/**
 * Whatever a node answers, to a command or while a connection is opened: a lease or a documented exception, in time, and
 * nothing left behind. The other nodes are right, so with three of them a lock can still be had.
 */
class StrangeRepliesIT {

    private static final Duration TTL = Duration.ofMillis(200);

    @Test
    void ofTheOnlyNodeEndInALeaseOrADocumentedException() throws InterruptedException {
        answers(1, 1_000);
    }

    @Test
    void ofOneNodeOfThreeEndInALeaseOrADocumentedException() throws InterruptedException {
        answers(3, 500);
    }

    private static void answers(int count, int usual) throws InterruptedException {
        Set<Thread> before = CloseIT.ourThreads();
        try (RedisNodes nodes = RedisNodes.start(count);
                HostileNode hostile = new HostileNode(nodes.get(0))) {
            List<String> uris = new ArrayList<>(nodes.uris());
            uris.set(0, hostile.uri());
            try (FencedLocks locks = FencedLocks.builder()
                    .nodes(uris)
                    .quarantine(false)
                    .preflight(PreflightMode.OFF)
                    .nodeTimeout(Duration.ofMillis(100))
                    .build()) {
                RandomInputs.forEach("StrangeRepliesIT, " + count + " nodes", usual, random -> {
                    await().atMost(Duration.ofSeconds(20))
                            .pollDelay(Duration.ZERO)
                            .pollInterval(Duration.ofMillis(1))
                            .until(() -> locks.nodeStatuses().get(0).up());
                    if (random.nextInt(10) == 0) {
                        hostile.hangUp();
                    }
                    hostile.answerStrangely(
                            new StrangeReplies(random.split()), random.nextInt(random.nextInt(5) == 0 ? 12 : 2));
                    use(locks, random);
                    hostile.answerStrangely(null, 0);
                });
                System.out.println("StrangeRepliesIT: " + hostile.spoilt() + " replies were spoilt");
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> locks.nodeStatuses().get(0).up());
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> Raw.onAll(nodes, jedis -> jedis.keys("*:lock")).stream()
                                .allMatch(keys -> keys.isEmpty()));
                // a strange membership is believed for a second
                await().atMost(Duration.ofSeconds(20))
                        .ignoreException(LockNotAcquiredException.class)
                        .until(() -> {
                            locks.acquire("afterwards", Duration.ofSeconds(5), Duration.ZERO)
                                    .close();
                            return true;
                        });
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> hostile.connections() == 0);
            await().atMost(Duration.ofSeconds(20)).until(() -> before.containsAll(CloseIT.ourThreads()));
        }
    }

    private static void use(FencedLocks locks, SplittableRandom random) {
        String resource = "r" + random.nextInt(3);
        LeaseRequest request = LeaseRequest.of(resource, TTL);
        Duration wait = random.nextInt(4) == 0 ? Duration.ofMillis(random.nextInt(150)) : Duration.ZERO;
        if (random.nextInt(4) == 0) {
            request = request.renewFor(TTL).onLost(lease -> {});
        }
        long begun = System.nanoTime();
        try (Lease lease = random.nextInt(4) == 0 ? joined(locks, request, wait) : locks.acquire(request, wait)) {
            assertThat(lease.token().value()).isBetween(1L, (1L << 53) - 1);
            if (random.nextInt(3) == 0) {
                StaleVerdict verdict = lease.reportStale(lease.token().value() + random.nextInt(5));
                assertThat(verdict).isNotNull();
            }
        } catch (LockNotAcquiredException | PoisonedTokenException documented) {
            assertThat(documented).hasMessageContaining(resource);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
    }

    private static Lease joined(FencedLocks locks, LeaseRequest request, Duration wait) {
        try {
            return locks.acquireAsync(request, wait).join();
        } catch (CompletionException e) {
            throw (RuntimeException) e.getCause();
        }
    }
}
