package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencedWriteException;

/**
 * A guarded statement for one row has written several, each of which the guard let through. In a transaction the rollback
 * undoes it; in autocommit they stay written.
 */
public final class TooManyRowsException extends FencedWriteException {

    private static final long serialVersionUID = 1L;

    private final transient FencedTarget target;
    private final long rows;

    /**
     * Describes the write.
     *
     * @param rows how many rows were written, 2 or more
     */
    public TooManyRowsException(FencedTarget target, long rows) {
        super(target + ": " + rows
                + " rows were written by a statement for one. Make its condition cover a unique key, or "
                + "declare rows = MANY. In autocommit they stay written.");
        this.target = target;
        this.rows = rows;
    }

    /** Table, key, presented token and lease of the write. */
    public FencedTarget target() {
        return target;
    }

    /** How many rows were written. */
    public long rows() {
        return rows;
    }
}
