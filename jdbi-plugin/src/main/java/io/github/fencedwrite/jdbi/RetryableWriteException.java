package io.github.fencedwrite.jdbi;

import org.jspecify.annotations.Nullable;

/** The database gave up the transaction in a way that makes a repetition promising. */
public final class RetryableWriteException extends WriteNotAppliedException {

    private static final long serialVersionUID = 1L;

    /**
     * Describes the outcome; of use to tests of an application, too.
     *
     * @param target what the write was about
     */
    public RetryableWriteException(WriteOutcome.Retryable outcome, FencedTarget target, @Nullable Throwable cause) {
        super(
                target + " was not written: " + reason(outcome)
                        + " Roll back and repeat the transaction, with the same token while the lease is valid.",
                target,
                outcome,
                cause);
    }

    private static String reason(WriteOutcome.Retryable outcome) {
        return outcome.sqlState().isEmpty()
                ? "the row stands there, and its token allows the write. It was inserted anew while the statement waited for its "
                        + "predecessor; or, if this does not pass, a trigger, a rule or a policy withholds it."
                : "the database answered " + outcome.sqlState() + ".";
    }
}
