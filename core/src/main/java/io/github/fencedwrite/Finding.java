package io.github.fencedwrite;

import io.github.fencedwrite.internal.text.Printable;

/**
 * Something that the preflight noticed.
 *
 * @param kind what it is about
 * @param severity how bad it is
 * @param node host and port, or empty if it is about all nodes
 * @param message what was seen
 * @param fix what to do about it
 */
public record Finding(Kind kind, Severity severity, String node, String message, String fix) {

    /** Control characters are shown as escapes: a server may say anything. */
    public Finding {
        message = Printable.text(message);
        fix = Printable.text(fix);
    }

    /** How bad a finding is. */
    public enum Severity {
        /** Locks or tokens are not safe: the client refuses to start, unless told otherwise. */
        FATAL,
        /** Something works less well than it should, or will not work in a failure. */
        WARNING,
        /** Worth knowing. */
        HINT
    }

    /** What a finding is about; the module's README explains each. */
    public enum Kind {
        /** The node does not answer. */
        UNREACHABLE,
        /** The node does not let the client in. */
        LOGIN,
        /** The node's certificate is not trusted, has run out, or is for another name. */
        CERTIFICATE,
        /** The node started lately and does not vote yet. */
        QUARANTINE,
        /** The node is a replica. */
        REPLICA,
        /** The node is part of a cluster, a sentinel, too old or no Redis. */
        UNSUPPORTED,
        /** Two addresses lead to the same server. */
        SAME_SERVER,
        /** The number of nodes is even. */
        EVEN_NUMBER,
        /** Clients are configured differently. */
        MEMBERSHIP,
        /** The node may evict keys. */
        EVICTION,
        /** The node does not write its data to disk as it should. */
        PERSISTENCE,
        /** The client's user lacks a right. */
        PERMISSION,
        /** The node is slow compared with its timeout. */
        LATENCY,
        /** The node's clock differs from the client's. */
        CLOCK,
        /** The node refuses to work for another reason. */
        NODE_ERROR
    }

    @Override
    public String toString() {
        return severity + " " + kind + (node.isEmpty() ? "" : " on " + node) + ": " + message + " " + fix;
    }
}
