package io.github.fencedwrite;

/** What came of the extension of a lease. */
public enum ExtensionResult {
    /** A quorum of nodes still had the lock for this lease and gave it a new ttl; it is valid for longer now. */
    EXTENDED,
    /** Too few nodes answered in time. The old validity stands, and another extension may be tried within it. */
    UNCONFIRMED,
    /** The lease is over: released, run out, or its lock is gone on so many nodes that it is no longer exclusive. */
    LOST
}
