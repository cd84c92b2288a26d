package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencedWriteException;
import java.time.Duration;

/** A lease has too little validity left to begin a transaction with; nothing was done. */
public final class InsufficientValidityException extends FencedWriteException {

    private static final long serialVersionUID = 1L;

    private final Duration remaining;

    /**
     * Says what is missing.
     *
     * @param resource what the lease is on
     * @param remaining what is left
     * @param needed what is asked for
     */
    public InsufficientValidityException(String resource, Duration remaining, Duration needed) {
        super("The lease on \"" + resource + "\" has " + remaining.toMillis() + " ms left, and " + needed.toMillis()
                + " ms are asked for before a transaction begins. Acquire again, or use a longer ttl.");
        this.remaining = remaining;
    }

    /** What was left. */
    public Duration remaining() {
        return remaining;
    }
}
