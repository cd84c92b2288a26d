package io.github.fencedwrite;

import io.github.fencedwrite.internal.text.Printable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The lock was not taken. Nothing is held, and nothing is left behind on a node that answers. */
public final class LockNotAcquiredException extends FencedWriteException {

    private static final long serialVersionUID = 1L;

    /** Why the lock was not taken. */
    public enum Reason {
        /** Another owner has it: a quorum of nodes is in working order and would have granted it otherwise. */
        CONTENDED,
        /** Too few nodes gave a usable answer; {@link LockNotAcquiredException#nodeFailures()} says why. */
        NO_QUORUM,
        /** Time ran out before that could be told: the wait was over, or the answers took as long as the ttl. */
        TIMEOUT,
        /** The calling thread was interrupted; its flag is set again. */
        INTERRUPTED,
        /** The configuration makes locking unsafe, for example a wall clock that is off by a day. Waiting does not help. */
        MISCONFIGURED
    }

    private final String resource;
    private final Reason reason;
    private final transient Map<String, NodeFailure> nodeFailures;

    /**
     * For the library itself.
     *
     * @param nodeFailures by node, as {@link #nodeFailures()} answers them
     */
    public LockNotAcquiredException(
            String message,
            String resource,
            Reason reason,
            Map<String, NodeFailure> nodeFailures,
            @Nullable Throwable cause) {
        super(Printable.text(message), cause);
        this.resource = resource;
        this.reason = reason;
        this.nodeFailures = Collections.unmodifiableMap(new LinkedHashMap<>(nodeFailures));
    }

    /** The name that was to be locked. */
    public String resource() {
        return resource;
    }

    /** Why the lock was not taken. */
    public Reason reason() {
        return reason;
    }

    /**
     * The nodes that gave no usable answer at the last try, by host and port, in the order of the configuration. Empty if
     * all did, and after deserialization.
     */
    public Map<String, NodeFailure> nodeFailures() {
        return nodeFailures == null ? Map.of() : nodeFailures;
    }
}
