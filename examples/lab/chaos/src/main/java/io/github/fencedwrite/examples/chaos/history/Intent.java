package io.github.fencedwrite.examples.chaos.history;

/**
 * What a worker meant to write to one row, noted before it writes.
 *
 * @param row the row
 * @param readVersion the version on which its decision rests, {@link #ABSENT} for a row that was not there, {@link #ANY} for
 *     a write that rests on nothing, like {@code value = value + 1}
 * @param delta by how much the value changes; the value itself for an insert, its negative for a delete
 */
public record Intent(RowId row, long readVersion, long delta) {

    /** The row was not there. */
    public static final long ABSENT = 0;

    /** Nothing was read. */
    public static final long ANY = -1;

    /** Whether {@code write} is this one, apart from what it rests on. */
    boolean means(Write write) {
        return row.equals(write.row()) && delta == write.delta();
    }

    /** Whether the row was, when written, what had been read. */
    boolean restsOn(Write write) {
        return readVersion == ANY || readVersion == State.versionOf(write.before());
    }
}
