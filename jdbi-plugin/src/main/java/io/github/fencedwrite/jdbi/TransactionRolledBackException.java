package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencedWriteException;

/**
 * A transaction was to be committed, but an error inside it had ended it before: PostgreSQL answers such a commit with a
 * rollback, and nothing was written. The body has caught the error and went on as if it could.
 */
public final class TransactionRolledBackException extends FencedWriteException {

    private static final long serialVersionUID = 1L;

    /** Says what happened. */
    public TransactionRolledBackException() {
        super(
                "Nothing was written: an error inside the transaction was caught, but PostgreSQL had ended the transaction with "
                        + "it. Let the error leave the body, or set a savepoint before the statement that may fail and roll back to it.");
    }
}
