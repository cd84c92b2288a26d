package io.github.fencedwrite;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What to lock, and how: for acquisitions that need more than a ttl and a wait. Immutable and safe for use by many threads;
 * each method answers a changed copy.
 *
 * <pre>{@code
 * LeaseRequest nightly = LeaseRequest.of("report:nightly", Duration.ofSeconds(10))
 *         .waitAtMost(Duration.ofSeconds(5))
 *         .renewFor(Duration.ofMinutes(20))
 *         .onLost(lease -> job.cancel());
 * }</pre>
 */
public final class LeaseRequest {

    private final String resource;
    private final Duration ttl;
    private final Duration waitAtMost;
    private final Duration lifetime;
    private final Optional<Consumer<Lease>> onLost;
    private final Duration dangerZone;
    private final Optional<Consumer<Lease>> onDanger;

    private LeaseRequest(
            String resource,
            Duration ttl,
            Duration waitAtMost,
            Duration lifetime,
            Optional<Consumer<Lease>> onLost,
            Duration dangerZone,
            Optional<Consumer<Lease>> onDanger) {
        this.resource = resource;
        this.ttl = ttl;
        this.waitAtMost = waitAtMost;
        this.lifetime = lifetime;
        this.onLost = onLost;
        this.dangerZone = dangerZone;
        this.onDanger = onDanger;
    }

    /**
     * One attempt, no renewal, no callbacks.
     *
     * @param resource what to lock; the ranges of all arguments are checked by the client that gets the request
     * @param ttl how long the nodes keep the lock if nobody releases it
     */
    public static LeaseRequest of(String resource, Duration ttl) {
        return new LeaseRequest(
                Objects.requireNonNull(resource, "resource"),
                Objects.requireNonNull(ttl, "ttl"),
                Duration.ZERO,
                Duration.ZERO,
                Optional.empty(),
                Duration.ZERO,
                Optional.empty());
    }

    /** Waits for the lock; an upper bound, at most 1 day, zero for exactly one attempt. */
    public LeaseRequest waitAtMost(Duration wait) {
        return new LeaseRequest(resource, ttl, wait, lifetime, onLost, dangerZone, onDanger);
    }

    /**
     * Renews the lease in the background, about every third of its ttl, until it is released or {@code maxLifetime} has
     * passed since it was acquired. After that it runs out like any other. A holder that hangs thus keeps the lock for
     * {@code maxLifetime} and no longer.
     *
     * @param maxLifetime the ttl to the builder's {@code maxLifetime}
     */
    public LeaseRequest renewFor(Duration maxLifetime) {
        return new LeaseRequest(resource, ttl, waitAtMost, maxLifetime, onLost, dangerZone, onDanger);
    }

    /**
     * Calls back once when the lease is lost: at the latest when its validity ends, and earlier if the nodes say so; not
     * after a release. Runs on the client's callback thread or the executor given to the builder, one callback after the
     * other, so it has to be quick.
     */
    public LeaseRequest onLost(Consumer<Lease> callback) {
        return new LeaseRequest(resource, ttl, waitAtMost, lifetime, Optional.of(callback), dangerZone, onDanger);
    }

    /**
     * Calls back when less than {@code zone} of the validity is left: time to come to an end, or to let go. Called again if
     * the lease was extended in between and gets there once more.
     *
     * @param zone above zero and less than the ttl
     */
    public LeaseRequest onDanger(Duration zone, Consumer<Lease> callback) {
        return new LeaseRequest(resource, ttl, waitAtMost, lifetime, onLost, zone, Optional.of(callback));
    }

    /** What to lock. */
    public String resource() {
        return resource;
    }

    /** How long the nodes keep the lock if nobody releases it. */
    public Duration ttl() {
        return ttl;
    }

    /** How long to wait for the lock, zero for one attempt. */
    public Duration waitAtMost() {
        return waitAtMost;
    }

    /** How long to renew, zero for not at all. */
    public Duration maxLifetime() {
        return lifetime;
    }

    /** Told when the lease is lost. */
    public Optional<Consumer<Lease>> lostCallback() {
        return onLost;
    }

    /** Remaining validity below which {@link #dangerCallback()} is told. */
    public Duration dangerZone() {
        return dangerZone;
    }

    /** Told when little validity is left. */
    public Optional<Consumer<Lease>> dangerCallback() {
        return onDanger;
    }

    @Override
    public String toString() {
        return "request for \"" + resource + "\" with a ttl of " + ttl;
    }
}
