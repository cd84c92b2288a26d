package io.github.fencedwrite;

/** What the nodes answered to a release. In each case the lease is over for its holder. */
public enum ReleaseResult {
    /** A quorum of nodes held the lock for this lease and has deleted it. */
    RELEASED,
    /** So many nodes no longer held the lock for this lease that it was no longer exclusive: it had run out or was lost. */
    NOT_HELD,
    /**
     * Too few nodes answered in time. The release goes on in the background; a node that does not hear of it keeps the
     * lock until its ttl ends.
     */
    UNCONFIRMED
}
