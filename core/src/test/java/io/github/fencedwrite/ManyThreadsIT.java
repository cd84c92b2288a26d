package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.examples.servers.RedisNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
                FencedLocks locks = client(nodes)) {
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
                FencedLocks a = client(nodes);
                FencedLocks b = client(nodes);
                FencedLocks c = client(nodes)) {
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

    private static FencedLocks client(RedisNodes nodes) {
        return FencedLocks.builder()
                .nodes(nodes.uris())
                .nodeTimeout(Duration.ofSeconds(2))
                .quarantine(false)
                .build();
    }
}
