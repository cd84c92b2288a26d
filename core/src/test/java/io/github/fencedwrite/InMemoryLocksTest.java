package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InMemoryLocksTest {

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration WAIT = Duration.ofSeconds(30);

    private final ManualClock clock = ManualClock.create();
    private final InMemoryLocks locks = FencedLocks.inMemory(clock);

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void isExclusiveAndHandsOutGrowingTokens() {
        Lease first = locks.acquire("sku:4711", TTL, WAIT);
        assertThat(locks.tryAcquire("sku:4711", TTL)).isEmpty();
        assertThat(first.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(first.release()).isEqualTo(ReleaseResult.RELEASED);

        Lease second = locks.acquire("sku:4711", TTL, WAIT);
        assertThat(second.token().isNewerThan(first.token())).isTrue();
        assertThat(locks.acquire("sku:4712", TTL, WAIT).isValid()).isTrue();
    }

    @Test
    void aLeaseExpiresWhenTheClockSaysSoAndNotBefore() {
        Lease lease = locks.acquire("r", TTL, WAIT);
        clock.advance(TTL.minusNanos(1));
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.remaining()).isEqualTo(Duration.ofNanos(1));
        assertThat(locks.tryAcquire("r", TTL)).isEmpty();

        clock.advance(Duration.ofNanos(1));
        assertThat(lease.isValid()).isFalse();
        assertThat(locks.tryAcquire("r", TTL)).isPresent();
        assertThat(lease.release()).isEqualTo(ReleaseResult.NOT_HELD);
        clock.advance(Duration.ofSeconds(1));
        assertThat(lease.sinceExpiry()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aHolderThatHasNotNoticedStillBelievesInItsLease() {
        Lease stale = locks.acquire(LeaseRequest.of("r", TTL).renewFor(Duration.ofMinutes(1)), WAIT);
        locks.expireUnnoticed("r");

        Lease newer = locks.acquire("r", TTL, WAIT);
        assertThat(newer.token().isNewerThan(stale.token())).isTrue();
        assertThat(stale.isValid()).isTrue();
        assertThat(stale.reportStale(newer.token().value())).isEqualTo(StaleVerdict.LOST);
        assertThat(stale.release()).isEqualTo(ReleaseResult.NOT_HELD);
        assertThat(newer.isValid()).isTrue();
        assertThat(locks.tryAcquire("r", TTL)).isEmpty();
    }

    @Test
    void whatNobodyHoldsCannotExpire() {
        assertThatIllegalStateException()
                .isThrownBy(() -> locks.expireUnnoticed("r"))
                .withMessage("Nobody holds \"r\", so it cannot expire.");
    }

    @Test
    void timePassesForAThreadThatWaitsForItsOwnLease() {
        Instant before = clock.instant();
        Lease first = locks.acquire("r", TTL, WAIT);
        Lease second = locks.acquire("r", TTL, WAIT);
        assertThat(second.token().isNewerThan(first.token())).isTrue();
        assertThat(first.isValid()).isFalse();
        assertThat(clock.instant()).isEqualTo(before.plus(TTL));

        assertThatThrownBy(() -> locks.acquire("r", TTL, Duration.ofSeconds(4)))
                .isInstanceOfSatisfying(
                        LockNotAcquiredException.class,
                        e -> assertThat(e.reason()).isEqualTo(LockNotAcquiredException.Reason.CONTENDED))
                .hasMessage("\"r\" was not locked within 4000 ms: another lease holds it, for 6000 ms more."
                        + " Wait longer for it, or try again later.");
        assertThat(clock.instant()).isEqualTo(before.plus(TTL).plusSeconds(4));
    }

    @Test
    void aReleaseHandsOverToTheOneThatHasWaitedLongest() {
        Lease held = locks.acquire("r", TTL, WAIT);
        CompletableFuture<Lease> first = locks.acquireAsync(LeaseRequest.of("r", TTL), WAIT);
        CompletableFuture<Lease> second = locks.acquireAsync(LeaseRequest.of("r", TTL), WAIT);
        held.close();
        assertThat(first).isCompletedWithValueMatching(Lease::isValid);
        assertThat(second).isNotDone();
        clock.advance(TTL);
        assertThat(second).isCompletedWithValueMatching(Lease::isValid);
    }

    @Test
    void aWaitEndsWhenTheClockSaysSo() {
        locks.acquire("r", WAIT.multipliedBy(2), WAIT);
        CompletableFuture<Lease> waiting = locks.acquireAsync(LeaseRequest.of("r", TTL), WAIT);
        clock.advance(WAIT.minusNanos(1));
        assertThat(waiting).isNotDone();
        clock.advance(Duration.ofNanos(1));
        assertThat(waiting).isCompletedExceptionally();
    }

    @Test
    void whoCancelsGetsNoLease() {
        Lease held = locks.acquire("r", TTL, WAIT);
        CompletableFuture<Lease> waiting = locks.acquireAsync(LeaseRequest.of("r", TTL), WAIT);
        waiting.cancel(true);
        held.close();
        assertThat(locks.tryAcquire("r", TTL)).isPresent();
    }

    @Test
    void anotherThreadIsWokenByAReleaseAndByTheClock() throws Exception {
        AtomicReference<Lease> got = new AtomicReference<>();
        Lease held = locks.acquire("r", TTL, WAIT);
        Thread waiting = new Thread(() -> got.set(locks.acquire("r", TTL, WAIT)));
        waiting.start();
        await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
        held.close();
        waiting.join();
        assertThat(got.get().isValid()).isTrue();

        Thread other = new Thread(() -> got.set(locks.acquire("r", TTL, WAIT)));
        other.start();
        await().until(() -> other.getState() == Thread.State.TIMED_WAITING);
        clock.advance(TTL);
        other.join();
        assertThat(got.get().isValid()).isTrue();
    }

    @Test
    void anInterruptEndsAWait() throws Exception {
        locks.acquire("r", TTL, WAIT);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread waiting = new Thread(() -> {
            try {
                locks.acquire("r", TTL, WAIT);
            } catch (LockNotAcquiredException e) {
                thrown.set(Thread.currentThread().isInterrupted() ? e : null);
            }
        });
        waiting.start();
        waiting.interrupt();
        waiting.join();
        assertThat(thrown.get()).hasMessageContaining("the thread was interrupted");
        clock.advance(TTL);
        assertThat(locks.tryAcquire("r", TTL)).isPresent();
    }

    @Test
    void isRenewedAndCallsBackInTheOrderOfTime() {
        Instant start = clock.instant();
        List<String> calls = new ArrayList<>();
        LeaseRequest request = LeaseRequest.of("r", TTL)
                .renewFor(Duration.ofMinutes(1))
                .onExpiring(Duration.ofSeconds(3), lease -> calls.add("expiring " + since(start)))
                .onLost(lease -> calls.add("lost " + since(start) + " " + lease.isValid()));
        Lease lease = locks.acquire(request, WAIT);
        CompletableFuture<Lease> next = locks.acquireAsync(LeaseRequest.of("r", TTL), Duration.ofHours(1));
        var unused = next.thenAccept(other -> calls.add("next " + since(start)));
        clock.advance(Duration.ofSeconds(50));
        assertThat(lease.isValid()).isTrue();
        clock.advance(Duration.ofMinutes(5));
        // extended for the last time 49.999… s after the start: the next extension would have reached beyond the minute
        assertThat(calls).containsExactly("expiring 56", "lost 59 false", "next 59");
        assertThat(lease.release()).isEqualTo(ReleaseResult.NOT_HELD);
    }

    private long since(Instant start) {
        return Duration.between(start, clock.instant()).toSeconds();
    }

    @Test
    void aCallbackThatFailsHarmsNobody() {
        locks.acquire(
                LeaseRequest.of("r", TTL).onLost(lease -> {
                    throw new AssertionError("the application's own, on purpose");
                }),
                WAIT);
        clock.advance(TTL);
        assertThat(locks.tryAcquire("r", TTL)).isPresent();
    }

    @Test
    void aStoredTokenThatIsGreaterRaisesTheNextOne() {
        Lease lease = locks.acquire("r", TTL, WAIT);
        assertThat(lease.reportStale(1_000)).isEqualTo(StaleVerdict.LIFTED);
        lease.close();
        assertThat(locks.acquire("r", TTL, WAIT).token()).isEqualTo(FencingToken.of(1_001));
    }

    @Test
    void aReportOfAStoredTokenIsAnsweredAsByNodes() {
        Lease lease = locks.acquire("r", TTL, WAIT);
        assertThat(lease.reportStale(lease.token().value())).isEqualTo(StaleVerdict.OWN_TOKEN);
        assertThatThrownBy(() -> lease.reportStale(1L << 53)).isInstanceOf(PoisonedTokenException.class);
        assertThatIllegalArgumentException().isThrownBy(() -> lease.reportStale(0));
    }

    @Test
    void anExtensionIsAnsweredAsByNodes() {
        Lease lease = locks.acquire("r", TTL, WAIT);
        clock.advance(TTL.dividedBy(2));
        assertThat(lease.extend()).isEqualTo(ExtensionResult.EXTENDED);
        assertThat(lease.remaining()).isEqualTo(TTL);
        locks.expireUnnoticed("r");
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.extend()).isEqualTo(ExtensionResult.LOST);
        assertThat(lease.isValid()).isFalse();

        Lease released = locks.acquire("r", TTL, WAIT);
        released.close();
        assertThat(released.extend()).isEqualTo(ExtensionResult.LOST);
    }

    @Test
    void theClockDoesNotGoBack() {
        clock.advance(Duration.ofSeconds(5));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> clock.advance(Duration.ofSeconds(-5)))
                .withMessageStartingWith("Time does not go back, but this clock was to be advanced by PT-5S.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> clock.advanceTo(Instant.EPOCH))
                .withMessageContaining("stands at 2026-01-01T00:00:05Z and was to be set to 1970-01-01T00:00:00Z");
        assertThat(clock.instant()).isEqualTo(Instant.parse("2026-01-01T00:00:05Z"));
    }

    @Test
    void refusesWhatTheRealClientRefuses() {
        assertThatIllegalArgumentException().isThrownBy(() -> locks.acquire("", TTL, WAIT));
        assertThatIllegalArgumentException().isThrownBy(() -> locks.acquire("r", Duration.ZERO, WAIT));
        assertThatIllegalArgumentException().isThrownBy(() -> locks.acquire("r", TTL, Duration.ofSeconds(-1)));
    }

    @Test
    void closingReleasesLeasesAndEndsWaits() {
        Lease held = locks.acquire("r", TTL, WAIT);
        CompletableFuture<Lease> waiting = locks.acquireAsync(LeaseRequest.of("r", TTL), WAIT);
        locks.close();
        assertThat(held.isValid()).isFalse();
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThatThrownBy(waiting::join).hasMessageContaining("closed while the lock was waited for");
        assertThatIllegalStateException().isThrownBy(() -> locks.tryAcquire("r", TTL));
        locks.close();
    }

    @Test
    void twentyThreadsCountExactly() throws Exception {
        int[] counter = new int[1];
        AtomicInteger failures = new AtomicInteger();
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 20; t++) {
            Thread thread = new Thread(() -> {
                try {
                    start.await();
                    for (int i = 0; i < 50; i++) {
                        try (Lease lease = locks.acquire("counter", TTL, WAIT)) {
                            counter[0]++;
                        }
                    }
                } catch (InterruptedException | RuntimeException e) {
                    failures.incrementAndGet();
                }
            });
            threads.add(thread);
            thread.start();
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).hasValue(0);
        assertThat(counter[0]).isEqualTo(1_000);
    }
}
