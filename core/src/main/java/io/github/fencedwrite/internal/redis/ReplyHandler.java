package io.github.fencedwrite.internal.redis;

import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Command;

/** Who sent a command and gets the answer, in a step of the loop. */
public interface ReplyHandler {

    /** Called exactly once for each command that a node accepted. */
    void answered(int node, Command command, Answer answer);
}
