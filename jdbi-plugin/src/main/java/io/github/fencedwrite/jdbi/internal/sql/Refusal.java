package io.github.fencedwrite.jdbi.internal.sql;

/** Why a statement is not understood; {@link Guard} adds the statement and hands it to the caller. */
final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1L;

    final int offset;
    final String reason;
    final String wayOut;

    Refusal(int offset, String reason, String wayOut) {
        super(reason, null, false, false);
        this.offset = offset;
        this.reason = reason;
        this.wayOut = wayOut;
    }
}
