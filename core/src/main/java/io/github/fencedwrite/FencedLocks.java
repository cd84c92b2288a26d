package io.github.fencedwrite;

import io.github.fencedwrite.internal.lease.LeaseClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Locks resources across processes by Redlock over independent Redis nodes, and hands out a fencing token with each lock.
 *
 * <p>A lock with a time limit cannot stop a paused holder from writing after it has run out. That takes the token and a
 * storage that refuses older ones: see {@link Lease#token()}.
 *
 * <p>Build one per application and close it at the end. Safe for use by many threads, virtual ones included; a lease
 * belongs to whoever has the object, never to a thread.
 */
public final class FencedLocks implements AutoCloseable {

    private final LeaseClient client;
    private final Arguments arguments;
    private final Supplier<List<Finding>> preflight;

    FencedLocks(LeaseClient client, Arguments arguments, Supplier<List<Finding>> preflight) {
        this.client = client;
        this.arguments = arguments;
        this.preflight = preflight;
    }

    /** Starts the configuration of a client. */
    public static FencedLocksBuilder builder() {
        return new FencedLocksBuilder();
    }

    /**
     * Acquires a lock, with exactly one attempt.
     *
     * @param resource what to lock: 1 to 1,024 bytes of UTF-8, no U+0000, no unpaired surrogate
     * @param ttl how long the nodes keep the lock if nobody releases it: 10 ms to the builder's {@code maxTtl}, cut to whole
     *     milliseconds
     * @return a lease that is valid now
     * @throws LockNotAcquiredException if it is not to be had
     * @throws IllegalArgumentException if an argument is out of its range
     * @throws IllegalStateException if this client is closed
     */
    public Lease acquire(String resource, Duration ttl) {
        return acquire(resource, ttl, Duration.ZERO);
    }

    /**
     * Acquires a lock, waiting for it if need be.
     *
     * @param resource what to lock: 1 to 1,024 bytes of UTF-8, no U+0000, no unpaired surrogate
     * @param ttl how long the nodes keep the lock if nobody releases it: 10 ms to the builder's {@code maxTtl}, cut to whole
     *     milliseconds; counted from the successful attempt
     * @param waitAtMost upper bound of this call whatever the nodes do, at most 1 day; zero for exactly one attempt
     * @return a lease that is valid now
     * @throws LockNotAcquiredException if it was not to be had in time
     * @throws IllegalArgumentException if an argument is out of its range
     * @throws IllegalStateException if this client is closed
     */
    public Lease acquire(String resource, Duration ttl, Duration waitAtMost) {
        return acquire(LeaseRequest.of(resource, ttl).waitAtMost(waitAtMost));
    }

    /**
     * Acquires a lock as the request says.
     *
     * @return a lease that is valid now
     * @throws LockNotAcquiredException if it was not to be had in time
     * @throws IllegalArgumentException if a part of the request is out of its range
     * @throws IllegalStateException if this client is closed
     */
    public Lease acquire(LeaseRequest request) {
        return client.acquire(arguments.spec(request));
    }

    /**
     * Acquires a lock as the request says, without blocking the caller's thread.
     *
     * @return completes with a lease that is valid then, or exceptionally as {@link #acquire(LeaseRequest)} throws; who
     *     cancels it gets no lease, and none is left behind. Dependents without an executor of their own run on the client's
     *     few threads and must not block
     * @throws IllegalArgumentException if a part of the request is out of its range
     */
    public CompletableFuture<Lease> acquireAsync(LeaseRequest request) {
        return client.acquireAsync(arguments.spec(request));
    }

    /**
     * Acquires a lock if nobody else has it, with exactly one attempt.
     *
     * @return the lease, or empty if another owner has the lock, or others asked for it at the same moment
     * @throws LockNotAcquiredException if that could not be told, for example since too few nodes answered; never with the
     *     reason {@link LockNotAcquiredException.Reason#CONTENDED}
     * @throws IllegalArgumentException if an argument is out of its range; the ranges are those of {@link #acquire}
     * @throws IllegalStateException if this client is closed
     */
    public Optional<Lease> tryAcquire(String resource, Duration ttl) {
        return tryAcquire(LeaseRequest.of(resource, ttl));
    }

    /** As {@link #tryAcquire(String, Duration)}; a wait in the request is kept to. */
    public Optional<Lease> tryAcquire(LeaseRequest request) {
        try {
            return Optional.of(acquire(request));
        } catch (LockNotAcquiredException e) {
            if (e.reason() == LockNotAcquiredException.Reason.CONTENDED) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Looks at the nodes closely: what is wrong with them or their configuration, and how to mend it. Building a client does
     * so, too. Blocks for a few round trips, at most for a few timeouts per node.
     *
     * @return findings, empty if all is well
     */
    public List<Finding> preflight() {
        return preflight.get();
    }

    /**
     * How each node looks to this client now. Does not talk to the nodes.
     *
     * @return one per node, in the order of the configuration
     */
    public List<NodeStatus> diagnose() {
        return client.diagnose();
    }

    /**
     * Closes connections and ends threads. Leases in hand are named in the log: they can no longer be released and run out
     * by themselves. Idempotent.
     */
    @Override
    public void close() {
        client.close();
    }
}
