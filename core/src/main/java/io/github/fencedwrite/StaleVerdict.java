package io.github.fencedwrite;

/** What the nodes say about a lease whose token a storage has refused. */
public enum StaleVerdict {
    /** The lease was lost, and somebody with a newer token has written: fencing at work. */
    LOST,
    /**
     * The storage holds this lease's own token, so nobody else has written and no counter has gone back. What was refused was
     * refused since it was written before with the same token.
     */
    OWN_TOKEN,
    /** Too few nodes answered to tell. Treat it as lost. */
    STALE,
    /**
     * A quorum still has the lock for this lease, so the counters had gone back. They now stand above the stored token:
     * release this lease and acquire again, and the new token will pass.
     */
    LIFTED
}
