package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencedWriteException;

/**
 * The database refused to write, since the transaction is read-only (25006); nothing was written. Usually a failover has turned
 * the server behind a pooled connection into a standby.
 */
public final class ReadOnlyDatabaseException extends FencedWriteException {

    private static final long serialVersionUID = 1L;

    private final transient FencedTarget target;

    /**
     * Describes the refusal.
     *
     * @param target what was to be written
     * @param cause what the driver threw
     */
    public ReadOnlyDatabaseException(FencedTarget target, Throwable cause) {
        super(
                target
                        + " was not written: the transaction is read-only (25006). If the server has become a standby, close this "
                        + "connection so that the pool makes a new one to the primary (targetServerType=primary, and a check of "
                        + "pg_is_in_recovery() when connections are taken); otherwise look for readOnly in the transaction and "
                        + "for default_transaction_read_only.",
                cause);
        this.target = target;
    }

    /** What was to be written. */
    public FencedTarget target() {
        return target;
    }
}
