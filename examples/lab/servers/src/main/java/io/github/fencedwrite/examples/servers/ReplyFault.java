package io.github.fencedwrite.examples.servers;

/** What a {@link Proxy} does to a reply of Redis. The command was executed in every case. */
public enum ReplyFault {
    /** The reply is lost and the connection closed in order (FIN). */
    LOSE_AND_CLOSE,
    /** The reply is lost and the connection reset (RST). */
    LOSE_AND_RESET,
    /** This reply and all later ones on the connection are lost; the connection stays open, commands are executed. */
    LOSE_AND_STAY_SILENT,
    /** The first half of the bytes arrives, at least one and not the last, then the connection is closed (FIN). */
    TRUNCATE_AND_CLOSE
}
