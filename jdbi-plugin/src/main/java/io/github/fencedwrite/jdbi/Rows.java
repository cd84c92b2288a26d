package io.github.fencedwrite.jdbi;

/** How many rows the condition of a guarded statement covers. */
public enum Rows {
    /** One at most, because it covers a unique key; a statement that hits more throws. */
    ONE,
    /**
     * Any number. Needs a transaction, so that a write of which only a part was allowed can be rolled back.
     */
    MANY
}
