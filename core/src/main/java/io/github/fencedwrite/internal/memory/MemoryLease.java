package io.github.fencedwrite.internal.memory;

import io.github.fencedwrite.ExtensionResult;
import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.ReleaseResult;
import io.github.fencedwrite.StaleVerdict;
import io.github.fencedwrite.internal.lease.LeaseSpec;
import io.github.fencedwrite.internal.text.Printable;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A lease in a {@link LockTable}, whose lock guards everything that changes here. */
final class MemoryLease implements Lease {

    private final LockTable table;
    private final LeaseSpec spec;
    private final FencingToken token;
    private final Thread acquirer;
    private final long lifetimeEnd;

    private long validUntil;
    private long renewAt;
    private boolean over;
    private boolean warned;
    private @Nullable ReleaseResult released;

    MemoryLease(LockTable table, LeaseSpec spec, long token, Thread acquirer, long now) {
        this.table = table;
        this.spec = spec;
        this.token = FencingToken.of(token);
        this.acquirer = acquirer;
        this.lifetimeEnd = now + spec.lifetimeNanos();
        extended(now);
    }

    private long ttlNanos() {
        return TimeUnit.MILLISECONDS.toNanos(spec.ttlMillis());
    }

    /** Extended by its ttl from {@code now} on. */
    void extended(long now) {
        validUntil = now + ttlNanos();
        warned = false;
        renewAt = now + ttlNanos() / 3;
        // by hand it can be extended beyond that
        if (renewAt + ttlNanos() > lifetimeEnd) {
            renewAt = Long.MAX_VALUE;
        }
    }

    void stopRenewing() {
        renewAt = Long.MAX_VALUE;
    }

    boolean renewsBy(long now) {
        return !over && renewAt <= now && now < validUntil;
    }

    boolean runsOutBy(long now) {
        return !over && validUntil <= now;
    }

    /** Whether the callback for little validity is due; true once for each extension. */
    boolean takeWarning(long now) {
        boolean due = !over && !warned && spec.onDanger() != null && validUntil - spec.dangerNanos() <= now;
        warned |= due;
        return due;
    }

    long nextDue() {
        if (over) {
            return Long.MAX_VALUE;
        }
        boolean toWarn = spec.onDanger() != null && !warned;
        return Math.min(Math.min(renewAt, validUntil), toWarn ? validUntil - spec.dangerNanos() : Long.MAX_VALUE);
    }

    void end() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    void released(ReleaseResult result) {
        released = result;
    }

    @Nullable
    ReleaseResult releaseResult() {
        return released;
    }

    long validUntil() {
        return validUntil;
    }

    LeaseSpec spec() {
        return spec;
    }

    boolean wasAcquiredBy(Thread thread) {
        return acquirer == thread;
    }

    @Override
    public String resource() {
        return spec.resource();
    }

    @Override
    public FencingToken token() {
        return token;
    }

    @Override
    public Duration ttl() {
        return Duration.ofMillis(spec.ttlMillis());
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(table.remainingNanos(this));
    }

    @Override
    public Duration remainingLifetime() {
        return Duration.ofNanos(table.remainingLifetimeNanos(this));
    }

    /** When the renewal ends, at the earliest with the validity. */
    long lifetimeEnd() {
        return Math.max(validUntil, lifetimeEnd);
    }

    @Override
    public boolean isValid() {
        return table.remainingNanos(this) > 0;
    }

    @Override
    public Duration sinceExpiry() {
        return Duration.ofNanos(table.nanosSinceExpiry(this));
    }

    @Override
    public ExtensionResult extend() {
        return table.extend(this);
    }

    @Override
    public ReleaseResult release() {
        return table.release(this);
    }

    @Override
    public StaleVerdict reportStale(long storedToken) {
        return table.reportStale(this, storedToken);
    }

    @Override
    public void close() {
        release();
    }

    @Override
    public String toString() {
        return "lease of \"" + Printable.text(resource()) + "\" with token " + token;
    }
}
