package io.github.fencedwrite.examples.servers;

/** What a {@link Proxy} does to a command for Redis. */
public enum CommandFault {
    /** The command is lost and the client's connection reset (RST). */
    LOSE_AND_RESET,
    /** The command reaches the server, which executes it, and the client's connection is reset (RST) at once. */
    PASS_AND_RESET
}
