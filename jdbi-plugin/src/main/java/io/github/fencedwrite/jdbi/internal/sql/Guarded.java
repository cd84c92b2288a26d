package io.github.fencedwrite.jdbi.internal.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement with its guard, and what is needed to read its result.
 *
 * @param kind what it does
 * @param table the target as it was written, for messages
 * @param statement what is to be run instead of the original
 * @param lock what locks the rows in their order beforehand, for a claim of several rows; else null
 * @param before what locks the rows that a statement for several means, and counts them as {@link #PROBE_COLUMNS}, before the
 *     statement's own changes can hide any; null for all others
 * @param probe the question why nothing was written, see {@link #PROBE_COLUMNS}; null if the text does not tell which rows
 *     were meant
 * @param conflict the constraint that an upsert names as its target, null if it names none
 * @param conditional whether an upsert has a condition of its own, which may withhold a row that the guard lets through
 * @param returning whether the statement answers with rows
 * @param valuesRows how many rows an INSERT lists; 0 for all others
 * @param keys which of the user's parameters say which rows are meant, from 1, for messages
 */
public record Guarded(
        Kind kind,
        String table,
        Template statement,
        @Nullable Template lock,
        @Nullable Template before,
        @Nullable Template probe,
        @Nullable String conflict,
        boolean conditional,
        boolean returning,
        int valuesRows,
        List<Integer> keys) {

    /**
     * What the probe selects, of the rows that the original condition hits: how many there are, how many of them carry a
     * newer token, how many this very token, how many none at all (NULL), and the greatest token.
     */
    public static final List<String> PROBE_COLUMNS = List.of("rows", "newer", "same", "missing", "greatest");

    /** What a statement does. */
    public enum Kind {
        UPDATE,
        INSERT,
        UPSERT,
        DELETE,
        CLAIM,
        /** The application placed the fragments itself. */
        PLACED
    }
}
