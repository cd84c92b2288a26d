package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.ReleaseResult;
import java.time.Duration;

/** A lease as it is seen by the plugin, without any lock behind it. */
class TestLease implements Lease {

    private final String resource;
    private final FencingToken token;
    private final Duration ttl;
    private final long acquired = System.nanoTime();
    volatile boolean released;

    TestLease(String resource, long token, Duration ttl) {
        this.resource = resource;
        this.token = FencingToken.of(token);
        this.ttl = ttl;
    }

    static TestLease of(String resource, long token) {
        return new TestLease(resource, token, Duration.ofSeconds(10));
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
        Duration left = ttl.minusNanos(System.nanoTime() - acquired);
        return released || left.isNegative() ? Duration.ZERO : left;
    }

    @Override
    public Duration sinceExpiry() {
        Duration over = Duration.ofNanos(System.nanoTime() - acquired).minus(ttl);
        return over.isNegative() ? Duration.ZERO : over;
    }

    @Override
    public boolean isValid() {
        return !remaining().isZero();
    }

    @Override
    public ReleaseResult release() {
        released = true;
        return ReleaseResult.RELEASED;
    }

    @Override
    public void close() {
        release();
    }
}
