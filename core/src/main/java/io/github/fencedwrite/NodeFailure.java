package io.github.fencedwrite;

import io.github.fencedwrite.internal.text.Printable;

/**
 * Why one node gave no usable answer.
 *
 * @param reason the kind of failure
 * @param detail what was seen, for people: the server's own words or the exception's, never empty
 */
public record NodeFailure(Reason reason, String detail) {

    /** Control characters of the detail are shown as escapes: a server may say anything. */
    public NodeFailure {
        detail = Printable.text(detail);
    }

    /** Kinds of failure of one node. */
    public enum Reason {
        /** The name of the node does not resolve. */
        UNKNOWN_HOST,
        /** Nothing listens there, or the connection was refused. */
        REFUSED,
        /** No answer within the per-node timeout. */
        TIMED_OUT,
        /** The connection broke after the command was sent; whether it was executed is not known. */
        CONNECTION_LOST,
        /** No connection was ready; one is being opened in the background. */
        NOT_CONNECTED,
        /** All connections to the node were in use. */
        POOL_EXHAUSTED,
        /** The TLS handshake failed. */
        TLS,
        /** The certificate of the node is not trusted, has run out, or is for another name. */
        CERTIFICATE,
        /** The node asks for a user or password, or refused the ones given. */
        NOAUTH,
        /** The ACL user may not run this command on these keys. */
        NOPERM,
        /** The node is a replica. */
        READONLY,
        /** The node is loading its data. */
        LOADING,
        /** The node is at its memory limit and may not evict. */
        OOM,
        /** The node cannot persist and therefore refuses writes. */
        MISCONF,
        /** The node is busy with a script or function of somebody else. */
        BUSY,
        /** A key under the prefix has a foreign type or content, for example a counter that is no number. */
        CORRUPT,
        /** The node restarted lately and may have forgotten locks; it does not vote yet. */
        QUARANTINED,
        /** The server is something this client does not work with: a cluster node, a version too old, another product. */
        UNSUPPORTED,
        /** An error of another kind; see the detail. */
        OTHER
    }

    @Override
    public String toString() {
        return reason + " (" + detail + ")";
    }
}
