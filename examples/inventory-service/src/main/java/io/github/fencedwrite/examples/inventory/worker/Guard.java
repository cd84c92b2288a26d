package io.github.fencedwrite.examples.inventory.worker;

/** How much a worker lets the database know of its lease. */
public enum Guard {
    /** Nothing: a lock with a time limit around plain SQL. */
    NONE,
    /** Level 1: the write carries the token, but the row was read before the database knew it. */
    STATEMENT,
    /** Level 2, as the service does it: the row is claimed before it is read. */
    CLAIM
}
