package io.github.fencedwrite.examples.chaos.history;

import org.jspecify.annotations.Nullable;

/**
 * What a row contains.
 *
 * @param version 1 for a new row, one more with each change
 * @param value what is counted: a balance, a stock, a reserved quantity
 */
public record State(long version, long value) {

    /** The version of a row that may be missing; a missing one has {@link Intent#ABSENT}. */
    static long versionOf(@Nullable State state) {
        return state == null ? Intent.ABSENT : state.version();
    }

    static long valueOf(@Nullable State state) {
        return state == null ? 0 : state.value();
    }
}
