package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.LockNotAcquiredException.Reason;
import io.github.fencedwrite.examples.servers.RedisNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.JedisPubSub;

/** What happens to those who want a lock that somebody else has. */
@Tag("jedis")
class WaitingIT {

    private static final Duration TTL = Duration.ofSeconds(20);

    @RegisterExtension
    static final TestNodes nodes = new TestNodes(3);

    private FencedLocks a;
    private FencedLocks b;

    @BeforeEach
    void connect() {
        a = nodes.client();
        b = nodes.client();
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
    }

    @Test
    void aReleaseByAnotherClientWakesTheWaiter() {
        List<Long> delays = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Lease held = a.acquire("r", TTL, Duration.ZERO);
            CompletableFuture<Lease> waiting = b.acquireAsync(LeaseRequest.of("r", TTL), TTL);
            awaitSubscribed("r");
            long released = System.nanoTime();
            held.close();
            waiting.join().close();
            delays.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - released));
        }
        delays.sort(null);
        assertThat(delays.get(5)).as("median delay in ms of %s", delays).isLessThan(60);
    }

    @Test
    void aReleaseIsToldOnEveryNode() throws InterruptedException {
        Lease held = a.acquire("r", TTL, Duration.ZERO);
        CountDownLatch subscribed = new CountDownLatch(nodes.all().size());
        CountDownLatch told = new CountDownLatch(nodes.all().size());
        for (RedisNode node : nodes.all()) {
            JedisPubSub listener = new JedisPubSub() {
                @Override
                public void onSubscribe(String channel, int channels) {
                    subscribed.countDown();
                }

                @Override
                public void onMessage(String channel, String message) {
                    unsubscribe();
                    told.countDown();
                }
            };
            Thread thread = new Thread(() -> Raw.on(node, jedis -> {
                jedis.subscribe(listener, "fenced-write:r:free");
                return null;
            }));
            thread.setDaemon(true);
            thread.start();
        }
        subscribed.await();
        held.close();
        assertThat(told.await(5, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aWaiterGetsTheLockEvenIfNoWakeUpArrives() {
        Lease held = a.acquire("r", TTL, Duration.ZERO);
        CompletableFuture<Lease> waiting = b.acquireAsync(LeaseRequest.of("r", TTL), TTL);
        awaitSubscribed("r");
        // behind the library's back: nothing is published
        Raw.onAll(nodes, jedis -> jedis.del("fenced-write:r:lock"));
        assertThat(waiting.orTimeout(2, TimeUnit.SECONDS).join().token()).isGreaterThan(held.token());
    }

    @Test
    void aReleaseWithinTheClientWakesTheNextInTheQueue() {
        Lease held = a.acquire("r", TTL, Duration.ZERO);
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            waiting.add(a.acquireAsync(LeaseRequest.of("r", TTL), TTL));
        }
        held.close();
        FencingToken last = held.token();
        for (CompletableFuture<Lease> next : waiting) {
            Lease lease = next.orTimeout(5, TimeUnit.SECONDS).join();
            assertThat(lease.token()).isGreaterThan(last);
            last = lease.token();
            lease.close();
        }
    }

    @Test
    void oneWaiterPerResourceAttemptsWhileTheOthersQueue() {
        Lease held = a.acquire("r", TTL, Duration.ZERO);
        long before = evalCalls();
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            waiting.add(b.acquireAsync(LeaseRequest.of("r", TTL), Duration.ofMillis(600)));
        }
        waiting.forEach(future -> assertThatThrownBy(future::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        LockNotAcquiredException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.CONTENDED)));
        // one waiter makes some ten attempts in that time, and each one more when its turn comes; all at once make
        // thousands
        assertThat(evalCalls() - before).isLessThan(600);
        held.close();
    }

    @Test
    void aWaitIsAnUpperBoundWhileAnotherHoldsTheLock() {
        Lease held = a.acquire("r", TTL, Duration.ZERO);
        long begun = System.nanoTime();
        assertThatThrownBy(() -> b.acquire("r", TTL, Duration.ofMillis(300)))
                .isInstanceOfSatisfying(
                        LockNotAcquiredException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.CONTENDED))
                .hasMessageContaining("attempts");
        assertThat(elapsedMillis(begun)).isBetween(300L, 450L);
        held.close();
    }

    @Test
    void aWaiterWhoseVotesWereNotEnoughDoesNotWakeItself() {
        for (int node : new int[] {2, 1}) {
            Raw.on(nodes.get(node), jedis -> jedis.psetex("fenced-write:r:lock", 60_000L, "other"));
        }
        assertThatThrownBy(() -> b.acquire("r", TTL, Duration.ofSeconds(1)))
                .isInstanceOfSatisfying(LockNotAcquiredException.class, e -> {
                    Matcher attempts = Pattern.compile("(\\d+) attempts").matcher(e.getMessage());
                    assertThat(attempts.find()).isTrue();
                    assertThat(Integer.parseInt(attempts.group(1))).isLessThan(50);
                });
    }

    @Test
    void aWaitIsAnUpperBoundWhileRedisIsAwayAndNamesTheNodes() {
        nodes.all().forEach(RedisNode::pause);
        for (int i = 0; i < 3; i++) {
            long begun = System.nanoTime();
            assertThatThrownBy(() -> b.acquire("r", TTL, Duration.ofMillis(500)))
                    .isInstanceOfSatisfying(LockNotAcquiredException.class, e -> {
                        assertThat(e.reason()).isEqualTo(Reason.NO_QUORUM);
                        assertThat(e.nodeFailures()).hasSize(3);
                    });
            assertThat(elapsedMillis(begun)).isBetween(499L, 650L);
        }
    }

    @Test
    void waitZeroIsExactlyOneAttempt() {
        Lease held = a.acquire("r", TTL, Duration.ZERO);
        long before = evalCalls();
        assertThat(b.tryAcquire("r", TTL)).isEmpty();
        // an acquire, and where its answer was not waited for, a release behind it
        assertThat(evalCalls() - before).isBetween(1L, 2L);
        held.close();
    }

    @Test
    void anInterruptedWaiterGivesUpWithTheFlagSet() throws InterruptedException {
        Lease held = a.acquire("r", TTL, Duration.ZERO);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        CountDownLatch flagSet = new CountDownLatch(1);
        Thread waiter = new Thread(() -> {
            try {
                b.acquire("r", TTL, TTL).close();
            } catch (LockNotAcquiredException e) {
                thrown.set(e);
                if (Thread.currentThread().isInterrupted()) {
                    flagSet.countDown();
                }
            }
        });
        waiter.start();
        awaitSubscribed("r");
        waiter.interrupt();
        assertThat(flagSet.await(2, TimeUnit.SECONDS)).isTrue();
        assertThat(thrown.get())
                .isInstanceOfSatisfying(
                        LockNotAcquiredException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.INTERRUPTED));
        held.close();
    }

    @Test
    void aCancelledAsynchronousCallerLeavesNothingBehind() {
        Lease held = a.acquire("r", TTL, Duration.ZERO);
        CompletableFuture<Lease> waiting = b.acquireAsync(LeaseRequest.of("r", TTL), TTL);
        awaitSubscribed("r");
        waiting.cancel(false);
        held.close();
        await().during(Duration.ofMillis(300))
                .atMost(Duration.ofSeconds(3))
                .until(() -> Raw.locks(nodes.get(0)).isEmpty());
    }

    @Test
    void anAsynchronousCallWithoutAWaitIsOneAttempt() {
        a.acquireAsync(LeaseRequest.of("r", TTL), Duration.ZERO).join();
        assertThatThrownBy(() ->
                        b.acquireAsync(LeaseRequest.of("r", TTL), Duration.ZERO).join())
                .cause()
                .isInstanceOf(LockNotAcquiredException.class);
    }

    private static long elapsedMillis(long begun) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
    }

    private static long evalCalls() {
        String stats = Raw.on(nodes.get(0), jedis -> jedis.info("commandstats"));
        return stats.lines()
                .filter(line -> line.startsWith("cmdstat_evalsha:calls="))
                .mapToLong(line -> Long.parseLong(line.substring("cmdstat_evalsha:calls=".length(), line.indexOf(','))))
                .sum();
    }

    private static void awaitSubscribed(String resource) {
        String channel = "fenced-write:" + resource + ":free";
        await().atMost(Duration.ofSeconds(5))
                .until(() -> Raw.onAll(
                                nodes, jedis -> jedis.pubsubNumSub(channel).get(channel))
                        .stream()
                        .anyMatch(count -> count > 0));
    }
}
