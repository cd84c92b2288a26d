package io.github.fencedwrite;

/** Where a node's counter starts when the node has none, or may have forgotten what it had. */
public enum SeedMode {
    /**
     * At the client's wall clock in microseconds: a counter that was lost or rolled back starts above every token handed
     * out before, as long as the clients' clocks differ by less than the time since.
     */
    CLOCK,
    /**
     * At zero, so that the first token is 1. Only for nodes that all run with {@code appendfsync always}: after the loss of
     * counters on more nodes than the token can spare, tokens would go back.
     */
    ZERO
}
