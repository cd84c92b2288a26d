package io.github.fencedwrite;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Locks resources across processes by Redlock over independent Redis nodes, and hands out a fencing token with each lock.
 *
 * <p>A lock with a time limit cannot stop a paused holder from writing after it has run out. That takes the token and a
 * storage that refuses older ones: see {@link Lease#token()}.
 *
 * <p>{@code acquire} waits for a lock that somebody else holds, up to the time given; {@code tryAcquire} never waits.
 *
 * <p>Build one per application and close it at the end. Safe for use by many threads, virtual ones included; a lease
 * belongs to its object, never to a thread. Not meant to be implemented by applications: methods may be added.
 */
public interface FencedLocks extends AutoCloseable {

    /** Starts the configuration of a client. */
    static FencedLocksBuilder builder() {
        return new FencedLocksBuilder();
    }

    /**
     * Locks in memory, for unit tests without servers.
     *
     * @param clock by which leases expire and waits end; stands still until the test advances it
     */
    static InMemoryLocks inMemory(ManualClock clock) {
        return new InMemoryLocks(clock);
    }

    /**
     * Acquires a lock, waiting for it while somebody else holds it.
     *
     * @param resource what to lock: 1 to 1,024 bytes of UTF-8, no U+0000, no unpaired surrogate
     * @param ttl how long the nodes keep the lock if nobody releases it: 10 ms to the builder's {@code maxTtl}, cut to whole
     *     milliseconds; counted from the successful attempt
     * @param waitAtMost upper bound of this call whatever the nodes do, at most 1 day; zero for exactly one attempt
     * @return a lease that is valid now
     * @throws LockNotAcquiredException if the lock could not be acquired in time
     * @throws IllegalArgumentException if an argument is out of its range
     * @throws IllegalStateException if this client is closed
     */
    default Lease acquire(String resource, Duration ttl, Duration waitAtMost) {
        return acquire(LeaseRequest.of(resource, ttl), waitAtMost);
    }

    /**
     * Acquires a lock as the request says, waiting for it while somebody else holds it.
     *
     * @param waitAtMost upper bound of this call whatever the nodes do, at most 1 day; zero for exactly one attempt
     * @return a lease that is valid now
     * @throws LockNotAcquiredException if the lock could not be acquired in time
     * @throws IllegalArgumentException if the wait or a part of the request is out of its range
     * @throws IllegalStateException if this client is closed
     */
    Lease acquire(LeaseRequest request, Duration waitAtMost);

    /**
     * Acquires a lock as {@link #acquire(LeaseRequest, Duration)} does, without blocking the caller's thread.
     *
     * @param waitAtMost upper bound of the wait, at most 1 day; zero for exactly one attempt
     * @return completes with a lease that is valid then, or exceptionally as {@link #acquire(LeaseRequest, Duration)} throws;
     *     cancelling it releases a lease that was already acquired. Dependents without an executor of their own run on the
     *     client's few threads and must not block
     * @throws IllegalArgumentException if the wait or a part of the request is out of its range
     */
    CompletableFuture<Lease> acquireAsync(LeaseRequest request, Duration waitAtMost);

    /**
     * Acquires a lock if nobody else holds it, with exactly one attempt.
     *
     * @return the lease, or empty if another owner has the lock, or others asked for it at the same moment
     * @throws LockNotAcquiredException if that could not be told, for example since too few nodes answered; never with the
     *     reason {@link LockNotAcquiredException.Reason#CONTENDED}
     * @throws IllegalArgumentException if an argument is out of its range; the ranges are those of
     *     {@link #acquire(String, Duration, Duration)}
     * @throws IllegalStateException if this client is closed
     */
    default Optional<Lease> tryAcquire(String resource, Duration ttl) {
        return tryAcquire(LeaseRequest.of(resource, ttl));
    }

    /** As {@link #tryAcquire(String, Duration)}, for a lease as the request says. */
    default Optional<Lease> tryAcquire(LeaseRequest request) {
        try {
            return Optional.of(acquire(request, Duration.ZERO));
        } catch (LockNotAcquiredException e) {
            if (e.reason() == LockNotAcquiredException.Reason.CONTENDED) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Acquires the locks of several resources, all or none, within one wait: sorted by name, so that callers that name the same
     * resources in another order cannot block each other. As long as locks are waited for, those already held are extended.
     *
     * @param resources 1 to 100 different names, in any order
     * @param ttl of each lease; none has less than two thirds of it left when this method returns, apart from the allowance
     *     for drift
     * @param waitAtMost upper bound of this call, apart from giving back what was acquired; zero for one attempt at each
     * @return a lease with a token of its own for each resource
     * @throws LockNotAcquiredException if one of them could not be acquired in time; then none is held
     * @throws IllegalArgumentException if a name is empty or given twice, there are none or too many, or an argument is out
     *     of its range; then nothing was attempted
     * @throws IllegalStateException if this client is closed
     */
    default Leases acquireAll(Collection<String> resources, Duration ttl, Duration waitAtMost) {
        return acquireAll(
                resources.stream()
                        .map(resource -> LeaseRequest.of(resource, ttl))
                        .toList(),
                waitAtMost);
    }

    /** As {@link #acquireAll(Collection, Duration, Duration)}, each lease as its request says. */
    Leases acquireAll(Collection<LeaseRequest> requests, Duration waitAtMost);

    /**
     * As {@link #acquireAll(Collection, Duration, Duration)}, with exactly one attempt at each resource.
     *
     * @return the leases, or empty if another owner has one of the locks
     */
    default Optional<Leases> tryAcquireAll(Collection<String> resources, Duration ttl) {
        try {
            return Optional.of(acquireAll(resources, ttl, Duration.ZERO));
        } catch (LockNotAcquiredException e) {
            if (e.reason() == LockNotAcquiredException.Reason.CONTENDED) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Who holds a resource, on each node. For people: by the time that the answer is read it may be out of date. Asks one node
     * after the other, each for two of its timeouts at most.
     *
     * @throws IllegalArgumentException if the name of the resource is out of its range
     */
    ResourceStatus resourceStatus(String resource);

    /**
     * Releases the lock of a resource although another client holds it, and raises the counters: the next holder's token is
     * greater, and once it has written or claimed, the storage refuses what the old holder still writes. The old holder finds
     * its lease lost at its next extension or release, if not before. For people who know that the holder hangs; work that is
     * merely slow is better waited for.
     *
     * @return {@link ReleaseResult#RELEASED}; {@link ReleaseResult#NOT_HELD} if nobody held it on any node that answered;
     *     {@link ReleaseResult#UNCONFIRMED} if too few nodes answered: then repeat it
     * @throws IllegalArgumentException if the name of the resource is out of its range
     */
    ReleaseResult forceRelease(String resource);

    /** The leases that this client holds and that are valid now, in no particular order. */
    List<Lease> heldLeases();

    /**
     * Looks at the nodes closely: what is wrong with them or their configuration, and how to fix it. Building a client does
     * so, too. Blocks for a few round trips, at most for a few timeouts per node.
     *
     * @return findings, empty if all is well
     */
    List<Finding> preflight();

    /**
     * How each node looks to this client now. Does not talk to the nodes.
     *
     * @return one per node, in the order of the configuration
     */
    List<NodeStatus> nodeStatuses();

    /**
     * Releases the leases that are still held, within the timeout of a node, closes connections and ends threads. Callers that
     * wait are told at once. A lease that could not be released counts as lost, is named in the log, and runs out by itself.
     * Idempotent.
     *
     * @see FencedLocksBuilder#releaseOnClose
     */
    @Override
    void close();
}
