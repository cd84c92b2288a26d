package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencingToken;
import org.jspecify.annotations.Nullable;

/**
 * What became of a guarded statement; never a bare number, since 0 has too many meanings.
 *
 * <p>A SQL Object method that is declared to return this type gets it. With any other return type all but {@link Applied}
 * and {@link NotFound} is thrown as the matching {@link WriteNotAppliedException}.
 */
public sealed interface WriteOutcome {

    /**
     * Written now.
     *
     * @param rows how many rows, 1 or more
     */
    record Applied(long rows) implements WriteOutcome {}

    /**
     * Not written: the row carries a newer token, so another holder has written since.
     *
     * @param presented the token of this write
     * @param stored the token of the row; null where the statement does not tell which row it is, so that it may just as well
     *     carry an older token: this is the worst that can have happened
     */
    record Stale(FencingToken presented, @Nullable FencingToken stored) implements WriteOutcome {}

    /**
     * Nothing was changed now: the row carries this very token, so this lease wrote or claimed it before.
     *
     * @param presented the token of this write, and of the row
     */
    record AlreadyWritten(FencingToken presented) implements WriteOutcome {}

    /**
     * Not written: the statement is one for claimed rows, but the row carries an older token. The claim was rolled back or
     * never made.
     *
     * @param presented the token of this write
     * @param stored the token of the row, 0 if it was never written under a lease
     */
    record NotClaimed(FencingToken presented, long stored) implements WriteOutcome {}

    /**
     * The condition hit no row that is visible; or that of an upsert withheld a row which the guard would have let through. An
     * upsert without a condition of its own never ends like this.
     */
    record NotFound() implements WriteOutcome {}

    /**
     * Of several rows some were refused: they carry a newer token; or this very one in mode FIRST; or they were not claimed in
     * mode CLAIMED. Thrown unless asked for, so that all of it is undone; see {@link Fenced#partial()}.
     *
     * @param presented the token of this write
     * @param applied how many rows were written, 1 or more
     * @param refused how many rows were not, 1 or more
     */
    record Partial(FencingToken presented, long applied, long refused) implements WriteOutcome {}

    /**
     * Stale, although a quorum of lock nodes still answers for this lease: the nodes forgot their counters. They have been
     * lifted above the stored token; acquire again.
     *
     * @param presented the token of this write
     * @param stored the token of the row
     */
    record Regression(FencingToken presented, FencingToken stored) implements WriteOutcome {}

    /**
     * The database gave up in a way that says: again. Or the row stands there and was not written, though its token allows it: it
     * was deleted and inserted again while this statement waited, or a trigger, a rule or a policy withholds it.
     *
     * @param sqlState the database's code, for example 40001; empty if there was no error
     */
    record Retryable(String sqlState) implements WriteOutcome {}

    /**
     * The connection was lost and nobody can tell whether the write was committed.
     *
     * @param sqlState the driver's code, empty if it gave none
     */
    record Unknown(String sqlState) implements WriteOutcome {}

    /** Whether something was written. */
    default boolean isApplied() {
        return this instanceof Applied;
    }
}
