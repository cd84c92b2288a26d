package io.github.fencedwrite.examples.benchmarks;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.ReleaseResult;
import java.time.Duration;

/** A lease that is simply there, where only the database is measured. */
record GivenLease(String resource, FencingToken token) implements Lease {

    @Override
    public Duration ttl() {
        return Duration.ofSeconds(10);
    }

    @Override
    public Duration remaining() {
        return ttl();
    }

    @Override
    public boolean isValid() {
        return true;
    }

    @Override
    public ReleaseResult release() {
        return ReleaseResult.RELEASED;
    }

    @Override
    public void close() {
        release();
    }
}
