package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.WriteOutcome;
import io.github.fencedwrite.jdbi.internal.sql.Guarded;
import org.jspecify.annotations.Nullable;

/**
 * What a count means beside the tokens of the rows that were meant. What cannot be told for certain is told as the worse case:
 *
 * <ul>
 *   <li>an upsert that wrote nothing has met a row, so it is never {@link WriteOutcome.NotFound}, unless a condition of its own
 *       may have withheld a row that the guard lets through;
 *   <li>a row that stands there, neither newer nor in the way of the mode, and was not written, was inserted anew while the
 *       statement waited for its predecessor, or a trigger, rule or policy withholds it: {@link WriteOutcome.Retryable};
 *   <li>of several rows all must have been written that were meant.
 * </ul>
 */
record WriteOutcomes(FencedCall call, Guarded guarded, int row) {

    /** The outcome of a statement of which {@code found} was asked afterwards; null if the text does not tell which rows it meant. */
    WriteOutcome of(long count, @Nullable TokenCounts found) {
        if (guarded.kind() == Guarded.Kind.UPSERT) {
            return ofUpsert(count, found);
        } else if (found == null) {
            // which rows were meant is not known; a refusal must not pass for a row that is not there
            return count > 0
                    ? new WriteOutcome.Applied(count)
                    : guarded.kind() == Guarded.Kind.PLACED
                            ? new WriteOutcome.Stale(token(), null)
                            : new WriteOutcome.NotFound();
        } else if (count > 0) {
            return found.newer() == 0
                    ? new WriteOutcome.Applied(count)
                    : new WriteOutcome.Partial(token(), count, found.newer());
        }
        return ofNothing(found);
    }

    private WriteOutcome ofUpsert(long count, @Nullable TokenCounts found) {
        long open = guarded.valuesRows() - count;
        if (count > 0) {
            long withheld = found != null && guarded.conditional() ? Math.min(open, found.older()) : 0;
            return open == withheld
                    ? new WriteOutcome.Applied(count)
                    : new WriteOutcome.Partial(token(), count, open - withheld);
        } else if (found == null || found.rows() == 0) {
            return new WriteOutcome.Stale(token(), null);
        }
        WriteOutcome outcome = ofNothing(found);
        boolean withheld = guarded.conditional() && outcome instanceof WriteOutcome.Retryable;
        return withheld ? new WriteOutcome.NotFound() : outcome;
    }

    /** The outcome of a statement for several rows, of which {@code before} was counted, and locked, before it ran. */
    WriteOutcome ofSeveral(long count, TokenCounts before) {
        if (count == 0) {
            return ofNothing(before);
        }
        long refused = before.newer() + (isFirst() ? before.same() : before.older());
        if (refused > 0) {
            return new WriteOutcome.Partial(token(), count, refused);
        }
        // rows that came in between were written as well, and others of them may have been refused
        return count > before.rows() ? new WriteOutcome.Retryable("") : new WriteOutcome.Applied(count);
    }

    private WriteOutcome ofNothing(TokenCounts found) {
        if (found.rows() == 0) {
            return new WriteOutcome.NotFound();
        } else if (found.newer() > 0) {
            return stale(token(), found);
        } else if (!call.fence().claim() && isFirst() && found.same() > 0) {
            return new WriteOutcome.AlreadyWritten(token());
        } else if (!call.fence().claim() && !isFirst() && found.same() == 0) {
            return new WriteOutcome.NotClaimed(token(), found.greatest());
        }
        return new WriteOutcome.Retryable("");
    }

    static WriteOutcome stale(FencingToken token, TokenCounts found) {
        return new WriteOutcome.Stale(token, FencingToken.of(found.greatest()));
    }

    private boolean isFirst() {
        return call.fence().mode() == FenceMode.FIRST;
    }

    private FencingToken token() {
        return call.token(row);
    }
}
