package io.github.fencedwrite.examples.chaos.history;

import org.jspecify.annotations.Nullable;

/**
 * One committed write of one row, as the trigger noted it.
 *
 * @param row what was written
 * @param xact the transaction
 * @param operation what the writer called itself
 * @param token the writer's token as the database knows it; 0 if it does not
 * @param before null for an insert
 * @param after null for a delete
 */
public record Write(
        RowId row,
        String xact,
        String operation,
        long token,
        @Nullable State before,
        @Nullable State after) {

    /** Whether the content changed. Otherwise the row was claimed: only its token changed. */
    boolean isChange() {
        return before == null || !before.equals(after);
    }

    long delta() {
        return State.valueOf(after) - State.valueOf(before);
    }
}
