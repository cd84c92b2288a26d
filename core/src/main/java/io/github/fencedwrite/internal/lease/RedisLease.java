package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.ExtensionResult;
import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.ReleaseResult;
import io.github.fencedwrite.StaleVerdict;
import io.github.fencedwrite.internal.protocol.Event;
import io.github.fencedwrite.internal.protocol.Verdict;
import io.github.fencedwrite.internal.text.Printable;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lease on Redis nodes. */
public final class RedisLease implements Lease {

    private static final Logger log = LoggerFactory.getLogger(RedisLease.class);

    private final LeaseClient client;
    private final Conversation conversation;
    private final String resource;
    private final Duration ttl;
    private final FencingToken token;
    private final @Nullable LeaseKeeper keeper;
    private final ReentrantLock operation = new ReentrantLock();
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile long validUntil;
    private @Nullable ReleaseResult released;

    RedisLease(LeaseClient client, Conversation conversation, LeaseSpec spec, Verdict.Held held) {
        this.client = client;
        this.conversation = conversation;
        this.resource = spec.resource();
        this.ttl = Duration.ofMillis(spec.ttlMillis());
        this.token = FencingToken.of(held.token());
        this.validUntil = held.validUntil();
        this.keeper = spec.needsKeeper()
                ? new LeaseKeeper(this, spec, client.nodes().background(), client.renewals(), client.announcer())
                : null;
    }

    void start() {
        if (keeper != null) {
            keeper.start();
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

    Conversation conversation() {
        return conversation;
    }

    @Override
    public ExtensionResult extend() {
        if (extendOnce()) {
            return ExtensionResult.EXTENDED;
        }
        return isValid() ? ExtensionResult.UNCONFIRMED : ExtensionResult.LOST;
    }

    /**
     * Extends the lease by its ttl from now.
     *
     * @return whether a quorum confirmed it; if not, the old validity stands, unless the lease was lost
     */
    boolean extendOnce() {
        operation.lock();
        try {
            return !over.get() && extended(client.perform(conversation, new Event.Extend()));
        } finally {
            operation.unlock();
        }
    }

    /**
     * The first half of {@link #extend}, for many leases at once: nothing else is done to the lease until the second half,
     * which the same thread has to call.
     *
     * @return false if it cannot be extended now: the lease is over, or another operation is under way
     */
    boolean beginExtension() {
        if (!operation.tryLock()) {
            return false;
        }
        if (over.get()) {
            operation.unlock();
            return false;
        }
        return true;
    }

    /** The second half; {@code verdict} is null if the nodes were not asked. */
    boolean endExtension(@Nullable Verdict verdict) {
        try {
            return extended(verdict);
        } finally {
            operation.unlock();
        }
    }

    private boolean extended(@Nullable Verdict verdict) {
        if (verdict instanceof Verdict.Extended extended) {
            validUntil = extended.validUntil();
            if (!over.get()) {
                client.announcer().extended(this);
                return true;
            }
        } else if (verdict instanceof Verdict.Lost) {
            ranOut();
        }
        return false;
    }

    /** The validity ended, or a quorum said that the lock is gone. Once lost, always lost. */
    void ranOut() {
        if (over.compareAndSet(false, true)) {
            log.debug("{} was lost", this);
            client.announcer().lost(this);
            if (keeper != null) {
                keeper.lost();
            }
        }
    }

    @Override
    public ReleaseResult release() {
        boolean wasLost = over.getAndSet(true);
        if (keeper != null) {
            keeper.stop();
        }
        // an interrupt would close the sockets that a virtual thread reads, and must not keep the lock from going back
        boolean interrupted = Thread.interrupted();
        operation.lock();
        try {
            if (released == null) {
                ReleaseResult result = releaseNow();
                released = result;
                client.ended(this);
                if (result == ReleaseResult.NOT_HELD && !wasLost) {
                    client.announcer().lost(this);
                }
                client.announcer().released(this, result);
            }
            return released;
        } finally {
            operation.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private ReleaseResult releaseNow() {
        Verdict verdict = client.perform(conversation, new Event.Release());
        if (verdict instanceof Verdict.Released result) {
            return result.result();
        }
        client.releaseLater(conversation);
        return ReleaseResult.UNCONFIRMED;
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
