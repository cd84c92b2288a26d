package io.github.fencedwrite.examples.servers;

/** Where servers come from. */
public enum ServerKind {
    /** The user named their addresses; they are neither started nor stopped here. */
    GIVEN,
    /** Containers on a Docker engine. */
    CONTAINERS,
    /** Processes on this machine, from binaries that come as Maven artifacts. */
    EMBEDDED
}
