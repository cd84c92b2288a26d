package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.examples.servers.Cut;
import io.github.fencedwrite.examples.servers.Proxy;
import io.github.fencedwrite.examples.servers.RedisNode;
import io.github.fencedwrite.internal.redis.ScriptNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.Jedis;

/** What a client does for one lease, node or caller starves no other. */
class BulkheadsIT {

    private static final Duration TTL = Duration.ofSeconds(20);

    @RegisterExtension
    static final TestNodes nodes = new TestNodes(3);

    @Test
    void aThousandAcquisitionsAtSlowNodesDoNotKeepALeaseFromBeingRenewed() {
        Queue<String> lost = new ConcurrentLinkedQueue<>();
        List<Proxy> slow = nodes.all().stream().map(Proxy::to).toList();
        try (FencedLocks locks = nodes.builder()
                .nodes(slow.stream().map(Proxy::uri).toList())
                .nodeTimeout(Duration.ofSeconds(1))
                .build()) {
            slow.forEach(proxy -> proxy.delay(Duration.ofMillis(40)));
            Lease renewing = locks.acquire(
                    LeaseRequest.of("renewing", Duration.ofSeconds(2))
                            .renewFor(Duration.ofMinutes(1))
                            .onLost(lease -> lost.add(lease.resource())),
                    Duration.ofSeconds(5));
            List<CompletableFuture<Lease>> all = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                all.add(locks.acquireAsync(LeaseRequest.of("many-" + i, TTL), Duration.ofSeconds(30)));
            }
            await().atMost(Duration.ofSeconds(40)).until(() -> all.stream().allMatch(CompletableFuture::isDone));
            assertThat(all).noneMatch(CompletableFuture::isCompletedExceptionally);
            await().pollDelay(Duration.ofSeconds(3))
                    .untilAsserted(() -> assertThat(renewing.isValid()).isTrue());
            assertThat(lost).isEmpty();
        } finally {
            slow.forEach(Proxy::close);
        }
    }

    @Test
    void aWaitBoundsEachCallHoweverLongTheNodesMayTake() {
        try (FencedLocks locks =
                nodes.builder().nodeTimeout(Duration.ofSeconds(8)).build()) {
            nodes.all().forEach(RedisNode::pause);
            for (int i = 0; i < 4; i++) {
                String resource = "r" + i;
                long begun = System.nanoTime();
                assertThatThrownBy(() -> locks.acquire(resource, TTL, Duration.ofMillis(100)))
                        .isInstanceOf(LockNotAcquiredException.class);
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(4));
            }
            nodes.all().forEach(RedisNode::resume);
        }
    }

    @Test
    void aNodeThatIsOwedALotAndReadsNothingHoldsUpNobody() {
        try (Proxy silent = Proxy.to(nodes.get(2));
                FencedLocks locks = nodes.builder()
                        .nodes(nodes.uris().get(0), nodes.uris().get(1), silent.uri())
                        .nodeTimeout(Duration.ofMillis(300))
                        .build()) {
            nodes.get(2).pause();
            String longName = "x".repeat(980);
            List<CompletableFuture<Lease>> all = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                all.add(locks.acquireAsync(LeaseRequest.of(longName + i, TTL), Duration.ofSeconds(20)));
            }
            all.forEach(each -> each.join().releaseAsync());
            nodes.get(2).resume();
            silent.mute();
            silent.open();
            silent.mute();
            for (int i = 0; i < 30; i++) {
                long begun = System.nanoTime();
                locks.acquire("r", TTL, Duration.ofSeconds(5)).close();
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(4));
            }
        }
    }

    @Test
    void aCallbackThatClosesItsLeaseAndOneThatTakesLongHoldUpNobody() throws InterruptedException {
        AtomicInteger extensions = new AtomicInteger();
        CountDownLatch slow = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        LeaseListener listener = new LeaseListener() {
            @Override
            public void extended(Lease lease) {
                extensions.incrementAndGet();
            }
        };
        try (FencedLocks locks = nodes.builder()
                .callbackExecutor(Runnable::run)
                .listener(listener)
                .build()) {
            Lease renewing = locks.acquire(
                    LeaseRequest.of("renewing", Duration.ofMillis(1_500)).renewFor(Duration.ofMinutes(1)),
                    Duration.ofSeconds(5));
            locks.acquire(
                    LeaseRequest.of("slow", Duration.ofSeconds(1)).onExpiring(Duration.ofMillis(900), lease -> {
                        lease.close();
                        closed.countDown();
                        awaitUninterruptibly(slow);
                    }),
                    Duration.ofSeconds(5));
            assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
            await().pollDelay(Duration.ofSeconds(3))
                    .untilAsserted(() -> assertThat(renewing.isValid()).isTrue());
            locks.acquire("other", TTL, Duration.ofSeconds(1)).close();
            slow.countDown();
            await().until(() -> extensions.get() >= 2);
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aReleaseThatWasRefusedIsRepeatedOnceTheNodeWorksAgain() {
        try (FencedLocks locks = nodes.client()) {
            Lease lease = locks.acquire("r", Duration.ofSeconds(30), Duration.ofSeconds(5));
            for (int i = 0; i < 2; i++) {
                Raw.on(nodes.get(i), jedis -> jedis.replicaof("127.0.0.1", 1));
            }
            assertThat(lease.release()).isEqualTo(ReleaseResult.UNCONFIRMED);
            for (int i = 0; i < 2; i++) {
                Raw.on(nodes.get(i), Jedis::replicaofNoOne);
            }
            nodes.awaitNoLocks();
        } finally {
            for (int i = 0; i < 2; i++) {
                Raw.on(nodes.get(i), Jedis::replicaofNoOne);
            }
        }
    }

    @Test
    void everyTokenReachesANodeThatWasAwayHoweverManyTheyAre() {
        int many = 2_600;
        try (FencedLocks locks =
                nodes.builder().nodeTimeout(Duration.ofSeconds(2)).build()) {
            for (int i = 0; i < many; i++) {
                locks.acquire("r" + i, TTL, Duration.ofSeconds(5)).close();
            }
            nodes.get(2).pause();
            List<Long> tokens = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                try (Lease lease = locks.acquire("r" + i, TTL, Duration.ofSeconds(5))) {
                    tokens.add(lease.token().value());
                }
            }
            for (int i = 0; i < many; i += 2_000) {
                String key = "fenced-write:r" + i + ":token";
                assertThat(Raw.get(nodes.get(0), key)).isEqualTo(tokens.get(i).toString());
            }
            nodes.get(2).resume();
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> Raw.on(nodes.get(2), jedis -> {
                        for (int i = 0; i < many; i++) {
                            assertThat(jedis.get("fenced-write:r" + i + ":token"))
                                    .isEqualTo(tokens.get(i).toString());
                        }
                        return "";
                    }));
        }
    }

    @Test
    void repeatedReleasesBackOff() {
        AtomicInteger releases = new AtomicInteger();
        try (Proxy proxy = Proxy.to(nodes.get(2));
                FencedLocks locks = nodes.builder()
                        .nodes(nodes.uris().get(0), nodes.uris().get(1), proxy.uri())
                        .build()) {
            proxy.muteReplies();
            Lease lease = locks.acquire("r", Duration.ofSeconds(30), Duration.ofSeconds(5));
            proxy.cut(Cut.RESET);
            proxy.open();
            await().until(() -> locks.nodeStatuses().get(2).up());
            proxy.watch(command -> {
                if (ScriptNames.isCallOf("RELEASE", command.words())) {
                    releases.incrementAndGet();
                }
            });
            lease.release();
            await().pollDelay(Duration.ofSeconds(4)).until(() -> releases.get() > 0);
            assertThat(releases.get()).isLessThanOrEqualTo(4);
            nodes.awaitNoLocks();
        }
    }

    @Test
    void aNodeThatAdmitsNoFurtherConnectionIsUpAsLongAsItAnswers() throws InterruptedException {
        try (FencedLocks locks = nodes.client()) {
            locks.acquire("r", TTL, Duration.ofSeconds(5)).close();
            nodes.all().forEach(node -> Raw.on(node, jedis -> jedis.configSet("maxclients", "2")));
            List<Thread> threads = new ArrayList<>();
            Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
            for (int t = 0; t < 16; t++) {
                int number = t;
                Thread thread = new Thread(() -> {
                    for (int i = 0; i < 50; i++) {
                        try {
                            locks.acquire("r" + number, TTL, Duration.ofSeconds(5))
                                    .close();
                            if (locks.nodeStatuses().stream().anyMatch(status -> !status.up())) {
                                failures.add(new AssertionError("a node is down"));
                            }
                        } catch (LockNotAcquiredException e) {
                            failures.add(e);
                        }
                    }
                });
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).isEmpty();
            nodes.all().forEach(node -> Raw.on(node, jedis -> jedis.configSet("maxclients", "10000")));
        }
    }
}
