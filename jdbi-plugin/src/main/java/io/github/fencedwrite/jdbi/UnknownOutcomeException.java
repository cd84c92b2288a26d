package io.github.fencedwrite.jdbi;

import org.jspecify.annotations.Nullable;

/** The connection was lost and nobody can tell whether the write was committed. */
public final class UnknownOutcomeException extends WriteNotAppliedException {

    private static final long serialVersionUID = 1L;

    /**
     * Describes the outcome; of use to tests of an application, too.
     *
     * @param target what the write was about
     */
    public UnknownOutcomeException(WriteOutcome.Unknown outcome, FencedTarget target, @Nullable Throwable cause) {
        super(
                target + " may or may not have been written: the connection was lost (" + outcome.sqlState()
                        + "). Look at the row before" + " anything is repeated.",
                target,
                outcome,
                cause);
    }
}
