package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencedWriteException;

/**
 * A statement was to be guarded and could not be, so it was not run at all. Carries the place and says what to do instead.
 */
public final class StatementRefusedException extends FencedWriteException {

    private static final long serialVersionUID = 1L;

    private final String sql;
    private final int offset;

    /**
     * Describes a refusal.
     *
     * @param sql the statement as the application wrote it
     * @param offset where the trouble begins, in characters from 0
     * @param reason what is wrong there
     * @param wayOut what to write instead
     */
    public StatementRefusedException(String sql, int offset, String reason, String wayOut) {
        super("This statement cannot be guarded and was not run: at offset " + offset + ", " + reason + ". " + wayOut
                + ". Statement: " + mark(sql, offset));
        this.sql = sql;
        this.offset = offset;
    }

    private static String mark(String sql, int offset) {
        return sql.substring(0, offset) + "▸" + sql.substring(offset);
    }

    /** The statement as the application wrote it. */
    public String sql() {
        return sql;
    }

    /** Where the trouble begins, in characters from 0. */
    public int offset() {
        return offset;
    }
}
