package io.github.fencedwrite.examples.servers;

import org.jspecify.annotations.Nullable;

/**
 * A server could not be started, reached or broken as asked. The message says what to install or set. It does not derive
 * from the toolkit's base exception, because this module may not depend on the toolkit.
 */
public final class ServersException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ServersException(String message) {
        super(message);
    }

    ServersException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
