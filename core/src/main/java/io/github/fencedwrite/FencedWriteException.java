package io.github.fencedwrite;

import org.jspecify.annotations.Nullable;

/**
 * Base of every exception that this project throws on purpose, apart from {@link IllegalArgumentException} and
 * {@link NullPointerException} for arguments outside their documented range.
 */
public abstract class FencedWriteException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    protected FencedWriteException(String message) {
        super(message);
    }

    protected FencedWriteException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
