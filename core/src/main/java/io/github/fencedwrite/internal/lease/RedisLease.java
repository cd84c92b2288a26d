package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.ReleaseResult;
import io.github.fencedwrite.internal.protocol.Event;
import io.github.fencedwrite.internal.protocol.Verdict;
import java.time.Duration;
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
    private final ReentrantLock operation = new ReentrantLock();
    private volatile long validUntil;
    private volatile boolean over;
    private @Nullable ReleaseResult released;

    RedisLease(LeaseClient client, Conversation conversation, String resource, long ttlMillis, Verdict.Held held) {
        this.client = client;
        this.conversation = conversation;
        this.resource = resource;
        this.ttl = Duration.ofMillis(ttlMillis);
        this.token = FencingToken.of(held.token());
        this.validUntil = held.validUntil();
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
        return over ? Duration.ZERO : Duration.ofNanos(Math.max(0, validUntil - System.nanoTime()));
    }

    @Override
    public boolean isValid() {
        return !over && validUntil - System.nanoTime() > 0;
    }

    @Override
    public ReleaseResult release() {
        over = true;
        // an interrupt would close the sockets that a virtual thread reads, and must not keep the lock from going back
        boolean interrupted = Thread.interrupted();
        operation.lock();
        try {
            if (released == null) {
                released = releaseNow();
                client.ended(this);
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
    public void close() {
        try {
            release();
        } catch (RuntimeException e) {
            log.warn("{} could not be released and runs out by itself", this, e);
        }
    }

    @Override
    public String toString() {
        return "lease of \"" + resource + "\" with token " + token;
    }
}
