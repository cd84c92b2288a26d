package io.github.fencedwrite;

import io.github.fencedwrite.internal.text.Printable;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What to lock and how to hold it, for leases that need more than a ttl. How long to wait for the lock is no part of it: each
 * call of {@link FencedLocks} says that by itself. Immutable and safe for use by many threads; each method returns a changed
 * copy.
 *
 * <pre>{@code
 * LeaseRequest nightly = LeaseRequest.of("report:nightly", Duration.ofSeconds(10))
 *         .renewFor(Duration.ofMinutes(20))
 *         .onLost(lease -> job.cancel());
 * Lease lease = locks.acquire(nightly, Duration.ofSeconds(5));
 * }</pre>
 */
public final class LeaseRequest {

    private final String resource;
    private final Duration ttl;
    private final Duration lifetime;
    private final Optional<Consumer<Lease>> onLost;
    private final Duration expiryWarning;
    private final Optional<Consumer<Lease>> onExpiring;

    private LeaseRequest(
            String resource,
            Duration ttl,
            Duration lifetime,
            Optional<Consumer<Lease>> onLost,
            Duration expiryWarning,
            Optional<Consumer<Lease>> onExpiring) {
        this.resource = resource;
        this.ttl = ttl;
        this.lifetime = lifetime;
        this.onLost = onLost;
        this.expiryWarning = expiryWarning;
        this.onExpiring = onExpiring;
    }

    /**
     * A lease without renewal or callbacks.
     *
     * @param resource what to lock; the ranges of all arguments are checked by the client that gets the request
     * @param ttl how long the nodes keep the lock if nobody releases it
     */
    public static LeaseRequest of(String resource, Duration ttl) {
        return new LeaseRequest(
                Objects.requireNonNull(resource, "resource"),
                Objects.requireNonNull(ttl, "ttl"),
                Duration.ZERO,
                Optional.empty(),
                Duration.ZERO,
                Optional.empty());
    }

    /**
     * Renews the lease in the background, about every third of its ttl, until it is released or {@code maxLifetime} has
     * passed since it was acquired. After that it runs out like any other. A holder that hangs thus keeps the lock for
     * {@code maxLifetime} and no longer.
     *
     * @param maxLifetime the ttl to the builder's {@code maxLifetime}
     */
    public LeaseRequest renewFor(Duration maxLifetime) {
        return new LeaseRequest(resource, ttl, maxLifetime, onLost, expiryWarning, onExpiring);
    }

    /**
     * Calls back once when the lease is lost: at the latest when its validity ends, and earlier if the nodes say so; not
     * after a release. Runs on the client's callback thread or the executor given to the builder, one callback after the
     * other, so it has to be quick.
     */
    public LeaseRequest onLost(Consumer<Lease> callback) {
        return new LeaseRequest(resource, ttl, lifetime, Optional.of(callback), expiryWarning, onExpiring);
    }

    /**
     * Calls back when less than {@code left} of the validity is left: time to finish, or to give up. Called again if the
     * lease was extended in the meantime and gets there once more.
     *
     * @param left above zero and less than the ttl
     */
    public LeaseRequest onExpiring(Duration left, Consumer<Lease> callback) {
        return new LeaseRequest(resource, ttl, lifetime, onLost, left, Optional.of(callback));
    }

    /** What to lock. */
    public String resource() {
        return resource;
    }

    /** How long the nodes keep the lock if nobody releases it. */
    public Duration ttl() {
        return ttl;
    }

    /** How long to renew, zero for not at all. */
    public Duration maxLifetime() {
        return lifetime;
    }

    /** Called when the lease is lost. */
    public Optional<Consumer<Lease>> lostCallback() {
        return onLost;
    }

    /** Remaining validity below which {@link #expiringCallback()} is called. */
    public Duration expiryWarning() {
        return expiryWarning;
    }

    /** Called when little validity is left. */
    public Optional<Consumer<Lease>> expiringCallback() {
        return onExpiring;
    }

    @Override
    public String toString() {
        return "request for \"" + Printable.text(resource) + "\" with a ttl of " + ttl;
    }
}
