package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.examples.servers.RedisNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Many callers at once: a counter that is not atomic, guarded by the lock alone, ends exactly right. */
class ManyThreadsIT {

    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration WAIT = Duration.ofMinutes(2);

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads come with Java 21")
    void tenThousandVirtualThreadsOnOneResourceCountExactly() throws InterruptedException, ExecutionException {
        countExactly(10_000, Threads.virtualOnes());
    }

    @Test
    void twoThousandCallsOfTwoHundredThreadsOnOneResourceCountExactly()
            throws InterruptedException, ExecutionException {
        countExactly(2_000, Executors.newFixedThreadPool(200));
    }

    private static void countExactly(int calls, ExecutorService threads)
            throws InterruptedException, ExecutionException {
        int[] counter = new int[1];
        List<Long> tokens = new ArrayList<>();
        try (RedisNodes nodes = RedisNodes.start(3);
                FencedLocks locks = client(nodes, 8)) {
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                done.add(threads.submit(() -> {
                    try (Lease lease = locks.acquire("counter", TTL, WAIT)) {
                        counter[0]++;
                        tokens.add(lease.token().value());
                    }
                }));
            }
            for (Future<?> each : done) {
                each.get();
            }
            threads.shutdown();
        }
        assertThat(counter[0]).isEqualTo(calls);
        assertThat(tokens).hasSize(calls).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void severalClientsOnSeveralResourcesExcludeEachOtherWithOrderedTokens()
            throws InterruptedException, ExecutionException {
        Random random = new Random(Seed.of(this));
        Map<String, long[]> lastTokens = new ConcurrentHashMap<>();
        Map<String, int[]> counters = new ConcurrentHashMap<>();
        Map<String, Integer> expected = new TreeMap<>();
        try (RedisNodes nodes = RedisNodes.start(5);
                FencedLocks a = client(nodes, 3);
                FencedLocks b = client(nodes, 4);
                FencedLocks c = client(nodes, 5)) {
            ExecutorService threads = Threads.manyThreads(30);
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < 600; i++) {
                FencedLocks locks = List.of(a, b, c).get(random.nextInt(3));
                String resource = "r" + random.nextInt(4);
                expected.merge(resource, 1, Integer::sum);
                counters.putIfAbsent(resource, new int[1]);
                lastTokens.putIfAbsent(resource, new long[1]);
                done.add(threads.submit(() -> {
                    try (Lease lease = locks.acquire(resource, TTL, WAIT)) {
                        long[] last = lastTokens.get(resource);
                        if (lease.token().value() > last[0]) {
                            last[0] = lease.token().value();
                            counters.get(resource)[0]++;
                        }
                    }
                }));
            }
            for (Future<?> each : done) {
                each.get();
            }
            threads.shutdown();
            nodes.all().forEach(node -> await().until(() -> Raw.locks(node).isEmpty()));
        }
        Map<String, Integer> counted = new TreeMap<>();
        counters.forEach((resource, count) -> counted.put(resource, count[0]));
        assertThat(counted).isEqualTo(expected);
    }

    @Test
    void moreCallersThanConnectionsAreToldSoInsteadOfHanging() throws InterruptedException {
        try (RedisNodes nodes = RedisNodes.start(1);
                FencedLocks locks = FencedLocks.builder()
                        .nodes(nodes.uris())
                        .concurrency(1)
                        .nodeTimeout(Duration.ofSeconds(1))
                        .quarantine(false)
                        .build()) {
            nodes.get(0).pause();
            Thread first = new Thread(() -> {
                try {
                    locks.acquire("a", TTL, Duration.ZERO).close();
                } catch (LockNotAcquiredException e) {
                    // either is right: the node comes back before its timeout or after it
                }
            });
            first.start();
            await().until(() -> first.getState() == Thread.State.RUNNABLE
                    && Arrays.stream(first.getStackTrace())
                            .anyMatch(frame -> frame.getMethodName().equals("awaitReply")));
            long begun = System.nanoTime();
            assertThatThrownBy(() -> locks.acquire("b", TTL, Duration.ofMillis(100)))
                    .isInstanceOfSatisfying(
                            LockNotAcquiredException.class,
                            e -> assertThat(e.nodeFailures().values())
                                    .extracting(NodeFailure::reason)
                                    .containsExactly(NodeFailure.Reason.POOL_EXHAUSTED));
            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun)).isLessThan(400);
            nodes.get(0).resume();
            first.join();
        }
    }

    private static FencedLocks client(RedisNodes nodes, int concurrency) {
        return FencedLocks.builder()
                .nodes(nodes.uris())
                .concurrency(concurrency)
                .nodeTimeout(Duration.ofSeconds(2))
                .quarantine(false)
                .build();
    }
}
