package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencedWriteException;

/**
 * A strictly enforced table was written without the token being announced, or with another than the announced one. Nothing was
 * written.
 */
public final class NotAnnouncedException extends FencedWriteException {

    private static final long serialVersionUID = 1L;

    private final String table;
    private final String sqlState;

    /**
     * Describes the refusal.
     *
     * @param table the table, as the database names it
     * @param key the primary key of the row, empty if unknown
     * @param sqlState the code of the trigger: WF002 to WF004
     */
    public NotAnnouncedException(String table, String key, String sqlState, Throwable cause) {
        super(
                table + (key.isEmpty() ? "" : "(" + key + ")") + " was not written: the table is enforced strictly ("
                        + sqlState
                        + "), and this transaction has not announced the token of the write. Install FencingPlugin.announcing(), "
                        + "write inside Fencing.inTransaction, or relax the table.",
                cause);
        this.table = table;
        this.sqlState = sqlState;
    }

    /** The table, as the database names it. */
    public String table() {
        return table;
    }

    /** The code of the trigger. */
    public String sqlState() {
        return sqlState;
    }
}
