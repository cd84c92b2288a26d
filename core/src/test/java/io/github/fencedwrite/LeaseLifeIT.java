package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.examples.servers.RedisNode;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What happens to a lease between its acquisition and its end. */
@Tag("jedis")
class LeaseLifeIT {

    private static final String LOCK = "fenced-write:r:lock";

    @RegisterExtension
    static final TestNodes nodes = new TestNodes(3);

    private final Queue<String> seen = new ConcurrentLinkedQueue<>();
    private FencedLocks locks;

    @BeforeEach
    void connect() {
        locks = nodes.builder()
                .nodeTimeout(Duration.ofMillis(100))
                .listener(new LeaseListener() {
                    @Override
                    public void extended(Lease lease) {
                        seen.add("extended");
                    }

                    @Override
                    public void lost(Lease lease) {
                        seen.add("lost");
                    }

                    @Override
                    public void released(Lease lease, ReleaseResult result) {
                        seen.add("released " + result);
                    }
                })
                .build();
    }

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void renewalKeepsTheLeaseBeyondItsTtl() {
        Lease lease = locks.acquire(
                LeaseRequest.of("r", Duration.ofMillis(300)).renewFor(Duration.ofSeconds(20)), Duration.ZERO);
        await().atMost(Duration.ofSeconds(5))
                .until(() -> seen.stream().filter("extended"::equals).count() >= 6);
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void renewalStopsForGoodOnRelease() {
        Lease lease = locks.acquire(
                LeaseRequest.of("r", Duration.ofMillis(300)).renewFor(Duration.ofSeconds(20)), Duration.ZERO);
        await().until(() -> seen.contains("extended"));
        lease.close();
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(900);
        await().pollInterval(Duration.ofMillis(20))
                .atMost(Duration.ofSeconds(5))
                .until(() -> {
                    nodes.assertNoLocks();
                    return System.nanoTime() - until > 0;
                });
    }

    @Test
    void renewalIsCappedByTheLifetimeAndTheLossAnnounced() {
        CountDownLatch lost = new CountDownLatch(1);
        Duration lifetime = Duration.ofMillis(600);
        Lease lease = locks.acquire(
                LeaseRequest.of("r", Duration.ofMillis(200)).renewFor(lifetime).onLost(any -> lost.countDown()),
                Duration.ZERO);
        long acquired = System.nanoTime();
        await().atMost(Duration.ofSeconds(5)).until(() -> lost.getCount() == 0);
        long validUntil = System.nanoTime() - lease.sinceExpiry().toNanos();
        assertThat(validUntil - acquired).isLessThan(lifetime.toNanos());
        assertThat(lease.isValid()).isFalse();
        assertThat(seen).contains("extended", "lost");
        assertThat(lease.release()).isIn(ReleaseResult.NOT_HELD, ReleaseResult.RELEASED);
        assertThat(seen.stream().filter("lost"::equals)).hasSize(1);
    }

    @Test
    void onLostFiresNoLaterThanTheEndOfValidityWithEveryNodeSilent() {
        AtomicLong remainingAtCall = new AtomicLong(-1);
        AtomicLong calledAt = new AtomicLong();
        Lease lease = locks.acquire(
                LeaseRequest.of("r", Duration.ofMillis(600))
                        .renewFor(Duration.ofSeconds(10))
                        .onLost(lost -> {
                            calledAt.set(System.nanoTime());
                            remainingAtCall.set(lost.remaining().toNanos());
                        }),
                Duration.ZERO);
        nodes.all().forEach(RedisNode::pause);
        // on a busy machine another timer is late, too; neither is by a renewal's timeout
        long otherTimer = CompletableFuture.supplyAsync(
                        System::nanoTime,
                        CompletableFuture.delayedExecutor(lease.remaining().toNanos(), TimeUnit.NANOSECONDS))
                .join();
        await().atMost(Duration.ofSeconds(5)).until(() -> calledAt.get() != 0);
        assertThat(calledAt.get() - otherTimer).isLessThan(TimeUnit.MILLISECONDS.toNanos(50));
        assertThat(remainingAtCall).hasValue(0);
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void renewalGoesOnAfterAFailureUntilValidityEnds() {
        Lease lease = locks.acquire(
                LeaseRequest.of("r", Duration.ofSeconds(3)).renewFor(Duration.ofSeconds(20)), Duration.ZERO);
        nodes.get(0).pause();
        nodes.get(1).pause();
        await().atMost(Duration.ofSeconds(3)).until(() -> lease.remaining().toMillis() < 1_500);
        assertThat(seen).doesNotContain("extended");
        nodes.get(0).resume();
        nodes.get(1).resume();
        await().atMost(Duration.ofSeconds(3)).until(() -> seen.contains("extended"));
        assertThat(lease.isValid()).isTrue();
        lease.close();
    }

    @Test
    void anExtensionDoesNotResurrectALeaseThatAnotherHadInBetween() {
        CountDownLatch lost = new CountDownLatch(1);
        Lease lease = locks.acquire(
                LeaseRequest.of("r", Duration.ofMillis(900))
                        .renewFor(Duration.ofSeconds(10))
                        .onLost(any -> lost.countDown()),
                Duration.ZERO);
        Raw.onAll(nodes, jedis -> jedis.set(LOCK, "somebody else"));
        await().atMost(Duration.ofMillis(800)).until(() -> lost.getCount() == 0);
        Raw.onAll(nodes, jedis -> jedis.del(LOCK));
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.remaining()).isEqualTo(Duration.ZERO);
        assertThat(lease.release()).isEqualTo(ReleaseResult.NOT_HELD);
        assertThat(Raw.locks(nodes.get(0))).isEmpty();
    }

    @Test
    void aNodeThatLostTheKeyIsLockedAgainOnExtension() {
        Lease lease = locks.acquire(
                LeaseRequest.of("r", Duration.ofMillis(600)).renewFor(Duration.ofSeconds(10)), Duration.ZERO);
        Raw.on(nodes.get(1), jedis -> jedis.del(LOCK));
        await().atMost(Duration.ofSeconds(2)).until(() -> Raw.on(nodes.get(1), jedis -> jedis.exists(LOCK)));
        lease.close();
        nodes.assertNoLocks();
    }

    @Test
    void theDangerZoneIsAnnouncedBeforeTheLoss() {
        Queue<String> calls = new ConcurrentLinkedQueue<>();
        AtomicLong left = new AtomicLong();
        locks.acquire(
                LeaseRequest.of("r", Duration.ofMillis(400))
                        .onExpiring(Duration.ofMillis(200), lease -> {
                            left.set(lease.remaining().toMillis());
                            calls.add("danger");
                        })
                        .onLost(lease -> calls.add("lost")),
                Duration.ZERO);
        await().atMost(Duration.ofSeconds(3)).until(() -> calls.size() == 2);
        assertThat(calls).containsExactly("danger", "lost");
        assertThat(left.get()).isBetween(100L, 202L);
    }

    @Test
    void aReleasedLeaseCallsNobodyBack() {
        AtomicInteger calls = new AtomicInteger();
        Lease lease = locks.acquire(
                LeaseRequest.of("r", Duration.ofMillis(100))
                        .onExpiring(Duration.ofMillis(20), any -> calls.incrementAndGet())
                        .onLost(any -> calls.incrementAndGet()),
                Duration.ZERO);
        lease.close();
        await().during(Duration.ofMillis(200)).atMost(Duration.ofSeconds(2)).until(() -> calls.get() == 0);
    }

    @Test
    void aFailingCallbackHarmsNobody() {
        CountDownLatch second = new CountDownLatch(1);
        locks.acquire(
                LeaseRequest.of("r", Duration.ofMillis(60)).onLost(any -> {
                    throw new IllegalStateException("the application's own, on purpose");
                }),
                Duration.ZERO);
        locks.acquire(LeaseRequest.of("s", Duration.ofMillis(80)).onLost(any -> second.countDown()), Duration.ZERO);
        await().until(() -> second.getCount() == 0);
    }

    @Test
    void closeDoesNotHideTheExceptionOfTheBodyEvenIfTheLeaseRanOut() {
        assertThatThrownBy(() -> {
                    try (Lease lease = locks.acquire("r", Duration.ofMillis(100), Duration.ZERO)) {
                        await().until(() -> !lease.isValid());
                        nodes.all().forEach(RedisNode::pause);
                        throw new UnsupportedOperationException("business");
                    }
                })
                .isInstanceOf(UnsupportedOperationException.class)
                .hasNoSuppressedExceptions();
    }

    @Test
    void releaseIsIdempotentAndTyped() {
        Lease lease = locks.acquire("r", Duration.ofSeconds(5), Duration.ZERO);
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        lease.close();

        Lease gone = locks.acquire("r", Duration.ofSeconds(5), Duration.ZERO);
        Raw.onAll(nodes, jedis -> jedis.del(LOCK));
        assertThat(gone.release()).isEqualTo(ReleaseResult.NOT_HELD);

        Lease silent = locks.acquire("r", Duration.ofSeconds(5), Duration.ZERO);
        nodes.get(0).pause();
        nodes.get(1).pause();
        assertThat(silent.release()).isEqualTo(ReleaseResult.UNCONFIRMED);
    }

    @Test
    void anyThreadMayUseAndCloseALease() throws InterruptedException {
        Lease lease = locks.acquire("r", Duration.ofSeconds(5), Duration.ZERO);
        Thread other = new Thread(() -> {
            seen.add("valid " + lease.isValid());
            lease.close();
        });
        other.start();
        other.join();
        assertThat(seen).containsExactly("valid true", "released RELEASED");
        nodes.awaitNoLocks();
    }

    @Test
    void theTokenIsPartOfTheLeaseWhateverTheCounterDoesAfterwards() {
        Lease lease = locks.acquire("r", Duration.ofSeconds(5), Duration.ZERO);
        long token = lease.token().value();
        assertThat(Raw.onAll(nodes, jedis -> jedis.incrBy("fenced-write:r:token", 5)))
                .isNotEmpty();
        assertThat(lease.token().value()).isEqualTo(token);
        lease.close();
        assertThat(locks.acquire("r", Duration.ofSeconds(5), Duration.ZERO)
                        .token()
                        .value())
                .isEqualTo(token + 6);
    }

    @Test
    void releaseIsImmuneToAnInterruptAndKeepsTheFlag() {
        Lease lease = locks.acquire("r", Duration.ofSeconds(5), Duration.ZERO);
        Thread.currentThread().interrupt();
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void requestsOutsideTheirRangesAreRefusedWithTheBound() {
        LeaseRequest request = LeaseRequest.of("r", Duration.ofSeconds(5));
        assertThatThrownBy(() -> locks.acquire(request.renewFor(Duration.ofSeconds(1)), Duration.ZERO))
                .hasMessageContaining("PT1H");
        assertThatThrownBy(() -> locks.acquire(request.renewFor(Duration.ofHours(2)), Duration.ZERO))
                .hasMessageContaining("PT1H");
        assertThatThrownBy(() -> locks.acquire(request.onExpiring(Duration.ofSeconds(5), any -> {}), Duration.ZERO))
                .hasMessageContaining("less than the ttl");
    }
}
