package io.github.fencedwrite.examples.servers;

/** How a {@link Proxy} ends connections. */
public enum Cut {
    /** In order (FIN): the peer reads the end of the stream. */
    CLOSE,
    /** Abruptly (RST): the peer gets an error. */
    RESET
}
