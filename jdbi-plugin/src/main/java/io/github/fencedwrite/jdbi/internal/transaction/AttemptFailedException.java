package io.github.fencedwrite.jdbi.internal.transaction;

import io.github.fencedwrite.jdbi.WriteOutcome;
import org.jspecify.annotations.Nullable;

/** Carries what became of one attempt past the end of its handle, whose own troubles in closing then decide nothing. */
final class AttemptFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient WriteOutcome outcome;
    private final transient @Nullable Object result;
    private final boolean connectionLost;

    AttemptFailedException(
            WriteOutcome outcome, boolean connectionLost, @Nullable Object result, @Nullable Throwable cause) {
        super(cause);
        this.outcome = outcome;
        this.connectionLost = connectionLost;
        this.result = result;
    }

    /** Applied if it was committed although the answer was lost; else retryable or unknown. */
    WriteOutcome outcome() {
        return outcome;
    }

    /** Whether the connection is gone, rather than the server wanting a repetition. */
    boolean isConnectionLost() {
        return connectionLost;
    }

    /** What the body returned. */
    @Nullable Object result() {
        return result;
    }
}
