package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("jedis")
class AcquireAllIT {

    private static final Duration TTL = Duration.ofSeconds(20);
    private static final Duration WAIT = Duration.ofMinutes(2);
    private static final int RESOURCES = 50;
    private static final int THREADS = 20;
    private static final int ROUNDS = 3;

    @RegisterExtension
    static final TestNodes nodes = new TestNodes(3);

    @Test
    void fiftyNamesLockedTogetherByTwentyThreadsInRandomOrder() throws Exception {
        long seed = Seed.of(this);
        int[] counts = new int[RESOURCES];
        AtomicInteger inside = new AtomicInteger();
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        try (FencedLocks a = nodes.client();
                FencedLocks b = nodes.client()) {
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                FencedLocks locks = t % 2 == 0 ? a : b;
                Random random = new Random(seed + t);
                threads.add(new Thread(() -> {
                    try {
                        for (int round = 0; round < ROUNDS; round++) {
                            countAll(locks, random, counts, inside);
                        }
                    } catch (Throwable e) {
                        failures.add(e);
                    }
                }));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
        }
        assertThat(failures).isEmpty();
        assertThat(Arrays.stream(counts).boxed()).containsOnly(THREADS * ROUNDS);
        nodes.awaitNoLocks();
    }

    private static void countAll(FencedLocks locks, Random random, int[] counts, AtomicInteger inside) {
        List<String> names = new ArrayList<>(
                IntStream.range(0, RESOURCES).mapToObj(i -> "name-" + i).toList());
        Collections.shuffle(names, random);
        try (Leases leases = locks.acquireAll(names, TTL, WAIT)) {
            assertThat(inside.incrementAndGet()).isOne();
            for (int i = 0; i < RESOURCES; i++) {
                counts[i]++;
            }
            assertThat(leases.isValid()).isTrue();
            inside.decrementAndGet();
        }
    }

    @Test
    void holdsNoneIfOneCannotBeAcquired() {
        try (FencedLocks a = nodes.client();
                FencedLocks b = nodes.client()) {
            Lease other = b.acquire("b", TTL, Duration.ZERO);
            assertThat(a.tryAcquireAll(List.of("c", "b", "a"), TTL)).isEmpty();
            assertThatThrownBy(() -> a.acquireAll(List.of("c", "b", "a"), TTL, Duration.ofMillis(200)))
                    .isInstanceOfSatisfying(LockNotAcquiredException.class, e -> {
                        assertThat(e.resource()).isEqualTo("b");
                        assertThat(e.reason()).isEqualTo(LockNotAcquiredException.Reason.CONTENDED);
                    })
                    .hasMessageEndingWith("It is one of 3 resources to be locked together, so none of them is.");
            other.close();
            nodes.awaitNoLocks();
        }
    }

    @Test
    void keepsWhatItHoldsWhileItWaitsForTheRest() {
        Duration ttl = Duration.ofMillis(600);
        try (FencedLocks a = nodes.client();
                FencedLocks b = nodes.client()) {
            Lease last = b.acquire(LeaseRequest.of("z", ttl).renewFor(Duration.ofMinutes(1)), Duration.ZERO);
            CompletableFuture<Leases> waiting =
                    CompletableFuture.supplyAsync(() -> a.acquireAll(List.of("z", "b", "a"), ttl, WAIT));
            await().until(() -> Raw.locks(nodes.get(0)).size() == 3);
            Duration severalTtls = ttl.multipliedBy(4);
            await().during(severalTtls)
                    .atMost(WAIT)
                    .until(() -> b.tryAcquire("a", ttl).isEmpty());
            assertThat(waiting).isNotDone();
            last.close();
            try (Leases leases = waiting.join()) {
                assertThat(leases.isValid()).isTrue();
            }
        }
    }

    @Test
    void aTtlTooShortForSoManyIsToldAsSuch() {
        List<String> names = IntStream.range(0, 100).mapToObj(i -> "name-" + i).toList();
        try (FencedLocks locks = nodes.client()) {
            assertThatThrownBy(() -> locks.acquireAll(names, Duration.ofMillis(10), Duration.ZERO))
                    .isInstanceOfSatisfying(
                            LockNotAcquiredException.class,
                            e -> assertThat(e.reason()).isEqualTo(LockNotAcquiredException.Reason.TIMEOUT))
                    .hasMessageContaining("Use a longer ttl");
            nodes.awaitNoLocks();
        }
    }
}
