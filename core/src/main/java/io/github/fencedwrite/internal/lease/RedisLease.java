package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.ExtensionResult;
import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.ReleaseResult;
import io.github.fencedwrite.StaleVerdict;
import io.github.fencedwrite.internal.loop.Waiter;
import io.github.fencedwrite.internal.protocol.Event;
import io.github.fencedwrite.internal.protocol.Verdict;
import io.github.fencedwrite.internal.text.Printable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lease on Redis nodes. */
public final class RedisLease implements Lease {

    private static final Logger log = LoggerFactory.getLogger(RedisLease.class);

    private final LeaseClient client;
    private final LeaseExchange exchange;
    private final String resource;
    private final Duration ttl;
    private final FencingToken token;
    private final @Nullable Watchdog watchdog;
    private final long lifetimeEnd;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile boolean lost;
    private volatile long validUntil;
    private volatile @Nullable ReleaseResult released;

    RedisLease(LeaseClient client, LeaseExchange exchange, LeaseSpec spec, Verdict.Held held) {
        this.client = client;
        this.exchange = exchange;
        this.resource = spec.resource();
        this.ttl = Duration.ofMillis(spec.ttlMillis());
        this.token = FencingToken.of(held.token());
        this.validUntil = held.validUntil();
        this.lifetimeEnd = System.nanoTime() + spec.lifetimeNanos();
        this.watchdog =
                spec.needsWatchdog() ? new Watchdog(this, spec, client.nodes().loop(), client.notifier()) : null;
    }

    void start() {
        if (watchdog != null) {
            client.nodes().loop().submit(watchdog::start);
        }
    }

    @Override
    public String resource() {
        return resource;
    }

    @Override
    public FencingToken token() {
        return token;
    }

    @Override
    public Duration ttl() {
        return ttl;
    }

    @Override
    public Duration remaining() {
        return over.get() ? Duration.ZERO : Duration.ofNanos(Math.max(0, validUntil - System.nanoTime()));
    }

    @Override
    public Duration remainingLifetime() {
        long end = Math.max(0, lifetimeEnd - System.nanoTime());
        Duration remaining = remaining();
        return remaining.isZero() || remaining.toNanos() > end ? remaining : Duration.ofNanos(end);
    }

    @Override
    public boolean isValid() {
        return !over.get() && validUntil - System.nanoTime() > 0;
    }

    @Override
    public Duration sinceExpiry() {
        return Duration.ofNanos(Math.max(0, System.nanoTime() - validUntil));
    }

    long validUntil() {
        return validUntil;
    }

    @Override
    public ExtensionResult extend() {
        Waiter<ExtensionResult> waiter = new Waiter<>(client.nodes().loop());
        client.nodes()
                .loop()
                .submit(() -> extendInStep(extended -> waiter.settle(
                        extended
                                ? ExtensionResult.EXTENDED
                                : isValid() ? ExtensionResult.UNCONFIRMED : ExtensionResult.LOST)));
        client.await(waiter);
        ExtensionResult result = waiter.result();
        if (result == null) {
            return isValid() ? ExtensionResult.UNCONFIRMED : ExtensionResult.LOST;
        }
        return result;
    }

    /** Extends the lease by its ttl from now, in a step; {@code then} hears whether a quorum confirmed it. */
    void extendInStep(Consumer<Boolean> then) {
        if (over.get() || client.isClosed()) {
            then.accept(false);
            return;
        }
        exchange.begin(new Event.Extend(), verdict -> then.accept(extended(verdict)));
    }

    private boolean extended(Verdict verdict) {
        if (verdict instanceof Verdict.Extended extended) {
            boolean news = validUntil != extended.validUntil();
            validUntil = extended.validUntil();
            if (!over.get()) {
                if (news) {
                    client.notifier().extended(this);
                }
                return true;
            }
        } else if (verdict instanceof Verdict.Lost) {
            ranOut();
        }
        return false;
    }

    /** The validity ended, or a quorum said that the lock is gone. Once lost, always lost. In a step. */
    void ranOut() {
        if (over.compareAndSet(false, true)) {
            lost = true;
            log.debug("{} was lost", this);
            client.notifier().lost(this);
            if (watchdog != null) {
                watchdog.lost();
            }
        }
    }

    @Override
    public ReleaseResult release() {
        Waiter<ReleaseResult> waiter = new Waiter<>(client.nodes().loop());
        beginRelease(waiter::settle);
        client.await(waiter);
        ReleaseResult result = waiter.result();
        return ended(result == null ? ReleaseResult.UNCONFIRMED : result);
    }

    @Override
    public CompletableFuture<ReleaseResult> releaseAsync() {
        CompletableFuture<ReleaseResult> future = new CompletableFuture<>();
        Consumer<ReleaseResult> finish = result -> client.callbacks().execute(() -> future.complete(ended(result)));
        beginRelease(finish);
        client.nodes()
                .loop()
                .submit(() -> client.atLatest(() -> {
                    if (!future.isDone()) {
                        finish.accept(ReleaseResult.UNCONFIRMED);
                    }
                }));
        return future;
    }

    /** The lease is over from here on; {@code then} hears in a step what the nodes said, unless the client is closed. */
    void beginRelease(Consumer<ReleaseResult> then) {
        over.set(true);
        ReleaseResult known = released;
        if (known != null || client.isClosed()) {
            then.accept(known == null ? ReleaseResult.UNCONFIRMED : known);
            return;
        }
        client.nodes().loop().submit(() -> {
            if (watchdog != null) {
                watchdog.stop();
            }
            exchange.begin(
                    new Event.Release(),
                    verdict -> then.accept(
                            verdict instanceof Verdict.Released result ? result.result() : ReleaseResult.UNCONFIRMED));
        });
    }

    /** The client is being closed: as {@link #release}, but a lease that the nodes do not confirm counts as lost. In a step. */
    void releaseAtClose(Runnable decided) {
        if (watchdog != null) {
            watchdog.stopRenewing();
        }
        exchange.begin(new Event.Release(), verdict -> {
            boolean confirmed =
                    verdict instanceof Verdict.Released result && result.result() != ReleaseResult.UNCONFIRMED;
            if (confirmed && over.compareAndSet(false, true)) {
                ReleaseResult result = ((Verdict.Released) verdict).result();
                released = result;
                if (watchdog != null) {
                    watchdog.stop();
                }
                client.callbacks().execute(() -> ended(result));
            }
            decided.run();
        });
    }

    /** What is to be done once, when the result is known, outside of any step. */
    private ReleaseResult ended(ReleaseResult result) {
        if (ended.compareAndSet(false, true)) {
            released = result;
            client.ended(this);
            if (result == ReleaseResult.NOT_HELD && !lost) {
                client.notifier().lost(this);
            }
            client.notifier().released(this, result);
            return result;
        }
        ReleaseResult first = released;
        return first == null ? result : first;
    }

    @Override
    public StaleVerdict reportStale(long storedToken) {
        if (storedToken < token.value()) {
            throw new IllegalArgumentException(
                    "The storage holds token " + storedToken + ", which is below this lease's " + token
                            + " and no reason to refuse it. Report the token that the storage holds.");
        }
        return client.reportStale(this, storedToken);
    }

    @Override
    public void close() {
        try {
            release();
        } catch (RuntimeException e) {
            log.warn("{} could not be released and runs out by itself", this, e);
        }
    }

    @Override
    public String toString() {
        return "lease of \"" + Printable.text(resource) + "\" with token " + token;
    }
}
