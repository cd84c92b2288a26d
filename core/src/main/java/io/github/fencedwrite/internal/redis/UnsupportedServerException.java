package io.github.fencedwrite.internal.redis;

import io.github.fencedwrite.NodeFailure.Reason;

/** What answered is not a server that can be a node. */
final class UnsupportedServerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Reason reason;

    UnsupportedServerException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    Reason reason() {
        return reason;
    }
}
