package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.examples.servers.RedisNode;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Interrupts at any moment leave neither locks nor renewals. */
class InterruptIT {

    private static final int POINTS = 500;

    @Test
    void anInterruptAtAnyPointLeavesNoKeyAndNoRenewal() throws InterruptedException {
        long seed = Seed.of(this);
        Random random = new Random(seed);
        AtomicInteger held = new AtomicInteger();
        AtomicInteger interrupted = new AtomicInteger();
        AtomicInteger extensions = new AtomicInteger();
        try (RedisNodes nodes = RedisNodes.start(3);
                FencedLocks locks = FencedLocks.builder()
                        .nodes(nodes.uris())
                        .quarantine(false)
                        .listener(new LeaseListener() {
                            @Override
                            public void extended(Lease lease) {
                                extensions.incrementAndGet();
                            }
                        })
                        .build()) {
            for (int i = 0; i < POINTS; i++) {
                LeaseRequest request =
                        LeaseRequest.of("r" + i % 7, Duration.ofSeconds(30)).renewFor(Duration.ofMinutes(5));
                Duration wait = random.nextBoolean() ? Duration.ZERO : Duration.ofSeconds(5);
                CountDownLatch started = new CountDownLatch(1);
                Thread caller = Threads.maybeVirtual(i % 2 == 0, () -> {
                    started.countDown();
                    try (Lease lease = locks.acquire(request, wait)) {
                        held.incrementAndGet();
                    } catch (LockNotAcquiredException e) {
                        boolean flag = Thread.currentThread().isInterrupted();
                        if (e.reason() == LockNotAcquiredException.Reason.INTERRUPTED && flag) {
                            interrupted.incrementAndGet();
                        }
                    }
                });
                assertThat(started.await(5, TimeUnit.SECONDS)).isTrue();
                LockSupport.parkNanos(random.nextInt(900_000));
                caller.interrupt();
                caller.join(TimeUnit.SECONDS.toMillis(10));
                assertThat(caller.isAlive()).isFalse();
            }
            assertThat(held.get() + interrupted.get()).as("seed %s", seed).isGreaterThan(POINTS * 9 / 10);
            await().atMost(Duration.ofSeconds(5)).untilAsserted(() -> {
                for (RedisNode node : nodes.all()) {
                    assertThat(Raw.locks(node)).as("seed %s", seed).isEmpty();
                }
            });
            assertThat(extensions).hasValue(0);
        }
    }

    @Test
    void anInterruptEndsAnAttemptAtSilentNodesAtOnce() throws InterruptedException {
        try (RedisNodes nodes = RedisNodes.start(3);
                FencedLocks locks = FencedLocks.builder()
                        .nodes(nodes.uris())
                        .nodeTimeout(Duration.ofSeconds(10))
                        .quarantine(false)
                        .build()) {
            nodes.all().forEach(RedisNode::pause);
            CountDownLatch interrupted = new CountDownLatch(1);
            Thread caller = new Thread(() -> {
                try {
                    locks.acquire("r", Duration.ofSeconds(30), Duration.ZERO).close();
                } catch (LockNotAcquiredException e) {
                    if (e.reason() == LockNotAcquiredException.Reason.INTERRUPTED) {
                        interrupted.countDown();
                    }
                }
            });
            caller.start();
            await().until(() -> Arrays.stream(caller.getStackTrace())
                    .anyMatch(frame -> frame.getMethodName().equals("await")));
            caller.interrupt();
            assertThat(interrupted.await(3, TimeUnit.SECONDS)).isTrue();
            nodes.all().forEach(RedisNode::resume);
            await().atMost(Duration.ofSeconds(5))
                    .until(() -> nodes.all().stream()
                            .allMatch(node -> Raw.locks(node).isEmpty()));
        }
    }
}
