package io.github.fencedwrite;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The handle of one successful acquisition of one resource.
 *
 * <p>Whoever has the object holds the lease: it belongs to no thread, and any thread may use or close it. A lease never
 * becomes valid again once it was lost. Its {@linkplain #token() token} is fixed at acquisition and does not change on
 * extension. Safe for use by many threads.
 *
 * <p>A lease cannot stop its holder from writing too late; only a guarded write can. See the fencing token.
 *
 * <p>Obtained from {@link FencedLocks}; this interface is not meant to be implemented by applications.
 */
public interface Lease extends AutoCloseable {

    /** The name that is locked, as it was given to {@link FencedLocks}. */
    String resource();

    /** The fencing token of this acquisition, greater than that of every acquisition completed before it. */
    FencingToken token();

    /** The time to live that was asked for; never changes, extensions use the same. */
    Duration ttl();

    /**
     * How long this lease can still be relied on: ttl minus the time the acquisition (or the last extension) took, minus
     * the allowance for clock drift, minus the time since. Measured on the monotonic clock; zero once the lease was lost
     * or released, never negative.
     */
    Duration remaining();

    /**
     * How long this lease can last at most if its renewal keeps succeeding: until the end of the lifetime that was asked for.
     * The same as {@link #remaining()} if it is not renewed, or is to be renewed no longer than it is valid anyway; zero once
     * the lease was lost or released. A bound for work under the lease, such as timeouts of a database.
     */
    default Duration remainingLifetime() {
        return remaining();
    }

    /** Whether {@link #remaining()} is above zero. True says nothing about the moment after the call returned. */
    boolean isValid();

    /**
     * How long ago the time of this lease ran out, whether it was released or lost before that or not; zero until then.
     * Measured on the monotonic clock.
     */
    default Duration sinceExpiry() {
        return Duration.ZERO;
    }

    /**
     * Extends this lease by its ttl from now, once: what a renewal does, on demand. Waits for a quorum of the nodes, at most
     * for two of their timeouts. The {@linkplain #token() token} stays the same. Immune to an interrupt of the calling
     * thread, whose flag is kept.
     *
     * @return what the nodes said; unless it is {@link ExtensionResult#EXTENDED}, the validity is no longer than before
     */
    default ExtensionResult extend() {
        throw new UnsupportedOperationException("This lease cannot be extended");
    }

    /**
     * As {@link #release()}, without blocking. The lease is over when this method returns; what the nodes said follows.
     *
     * @return completes with what {@link #release()} would return, never exceptionally, after two timeouts of a node at most.
     *     Dependents without an executor of their own run on the client's thread for callbacks and must not block
     */
    default CompletableFuture<ReleaseResult> releaseAsync() {
        return CompletableFuture.completedFuture(release());
    }

    /**
     * Gives the resource back on all nodes, waiting for a quorum of them for a bounded time. Idempotent; immune to an
     * interrupt of the calling thread, whose flag is kept.
     *
     * @return what the nodes said
     */
    ReleaseResult release();

    /**
     * Tells the lease that a storage refused its token since it holds a greater one. If a quorum of nodes still has the
     * lock for this lease, the counters must have gone back, and they are lifted above the stored token before this method
     * returns.
     *
     * <p>Called by the Jdbi plugin; of use to other guards in the same way. Takes up to two round trips to the nodes.
     *
     * @param storedToken what the storage holds, at least this lease's token; its own is no regression, and nothing is done
     * @return what is to be thought of the refusal
     * @throws PoisonedTokenException if the lease is held and {@code storedToken} is beyond everything that can have been
     *     handed out
     * @throws IllegalArgumentException if {@code storedToken} is below this lease's token
     */
    default StaleVerdict reportStale(long storedToken) {
        return isValid() ? StaleVerdict.STALE : StaleVerdict.LOST;
    }

    /** As {@link #release()}, for try-with-resources; never throws, so that it cannot mask the exception of the body. */
    @Override
    void close();
}
