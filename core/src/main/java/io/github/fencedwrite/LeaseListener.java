package io.github.fencedwrite;

import java.time.Duration;

/**
 * Sees what a client does, for metrics and tracing. Called on the thread that did it, after the fact: has to be quick and
 * safe for use by many threads. What it throws is logged and otherwise ignored.
 */
public interface LeaseListener {

    /**
     * A lease was acquired.
     *
     * @param took since the call
     * @param fast whether the token was agreed on in the first round, without a second one
     */
    default void acquired(Lease lease, Duration took, boolean fast) {}

    /**
     * A lock was not acquired.
     *
     * @param why what the caller gets, with the reason and the nodes' own reasons
     * @param took since the call
     */
    default void refused(LockNotAcquiredException why, Duration took) {}

    /** A lease was extended. */
    default void extended(Lease lease) {}

    /** A lease with renewal or callbacks was lost, or a release found that it had been. */
    default void lost(Lease lease) {}

    /**
     * The client was closed while this lease was valid and in hand. It can no longer be released or renewed and runs out by
     * itself.
     */
    default void abandoned(Lease lease) {}

    /** A lease was released, with what the nodes said. */
    default void released(Lease lease, ReleaseResult result) {}
}
