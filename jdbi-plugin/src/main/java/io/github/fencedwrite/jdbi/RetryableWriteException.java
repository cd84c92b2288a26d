package io.github.fencedwrite.jdbi;

import org.jspecify.annotations.Nullable;

/** The database gave up the transaction in a way that makes a repetition promising. */
public final class RetryableWriteException extends WriteNotAppliedException {

    private static final long serialVersionUID = 1L;

    RetryableWriteException(WriteOutcome.Retryable outcome, FencedTarget target, @Nullable Throwable cause) {
        super(
                target + " was not written: the database answered " + outcome.sqlState()
                        + ". Roll back and repeat the transaction, with the" + " same token while the lease is valid.",
                target,
                outcome,
                cause);
    }
}
