package io.github.fencedwrite.internal.redis;

import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Command;

/** Who sent a command and gets the answer, on whatever thread happens to read it. */
public interface Recipient {

    /** Called exactly once for each command that a connection accepted, in the order in which they were written. */
    void answered(int node, Command command, Answer answer);

    /** Whether the sender still waits for an answer of {@code node}; asked by a thread that reads for it. */
    boolean waitsFor(int node);
}
