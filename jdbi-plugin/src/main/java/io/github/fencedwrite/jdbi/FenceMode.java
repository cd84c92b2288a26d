package io.github.fencedwrite.jdbi;

/** What a guarded statement expects of the token that the row carries. */
public enum FenceMode {
    /**
     * The row carries an older token: this is the first write of the row under this lease. Right for blind and for relative
     * writes; one token writes a row once.
     */
    FIRST,
    /**
     * The row carries this very token, since the lease claimed it (see {@link Claim}). Right for read-modify-write and for
     * any number of writes under one lease.
     */
    CLAIMED
}
