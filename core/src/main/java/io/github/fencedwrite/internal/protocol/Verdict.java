package io.github.fencedwrite.internal.protocol;

import io.github.fencedwrite.ReleaseResult;

/** How an attempt ended. */
public sealed interface Verdict {

    /**
     * A quorum granted the lock and accepted the token.
     *
     * @param token the fencing token
     * @param validUntil end of the validity on the clock of the events, in nanoseconds
     * @param fast whether the token was agreed on without a second round
     */
    record Held(long token, long validUntil, boolean fast) implements Verdict {}

    /**
     * The lock was not taken. Releases for whatever the nodes may have granted precede this verdict.
     *
     * @param retryAfterMillis when, at the earliest, a node's key of the other holder runs out; 0 if not known
     */
    record Refused(Refusal reason, long retryAfterMillis) implements Verdict {}

    /**
     * The extension is carried: a quorum still had the lock and answered before the old validity ended.
     *
     * @param validUntil new end of the validity, in nanoseconds on the clock of the events
     */
    record Extended(long validUntil) implements Verdict {}

    /** Too few nodes answered the extension; the old validity stands, and another extension may be tried within it. */
    record NotExtended() implements Verdict {}

    /** The lock is no longer exclusive, or the validity ended: lost for good. */
    record Lost() implements Verdict {}

    /** The release is decided. */
    record Released(ReleaseResult result) implements Verdict {}

    /** Why an attempt did not get the lock. */
    enum Refusal {
        /** A quorum of nodes is in working order, and another owner holds too many of them. */
        CONTENDED,
        /** Too few nodes gave a usable answer. */
        NO_QUORUM,
        /** Enough nodes granted, but another attempt got in between while the token was agreed on: try again. */
        OUTVOTED,
        /** The answers took so long that no validity was left. */
        TOO_SLOW,
        /** The caller gave up. */
        GIVEN_UP
    }
}
