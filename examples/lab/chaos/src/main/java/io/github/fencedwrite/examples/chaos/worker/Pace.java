package io.github.fencedwrite.examples.chaos.worker;

import io.github.fencedwrite.examples.chaos.history.RowId;

/** How long a worker's thread takes between reading and writing. */
interface Pace {

    /**
     * Comes between reading and writing.
     *
     * @param row what was read and will be written
     * @param version what was read, {@link io.github.fencedwrite.examples.chaos.history.Intent#ABSENT} for no row
     */
    void think(RowId row, long version);

    /** Comes when an operation has ended. */
    void ended();
}
