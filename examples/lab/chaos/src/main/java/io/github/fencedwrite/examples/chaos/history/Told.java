package io.github.fencedwrite.examples.chaos.history;

/** What the worker was told at the end of an operation. */
public enum Told {
    /** Done. */
    ACKNOWLEDGED,
    /** Not done: nothing was changed. */
    REFUSED,
    /** Nobody can tell; also if the worker was killed before it was told. */
    UNKNOWN
}
