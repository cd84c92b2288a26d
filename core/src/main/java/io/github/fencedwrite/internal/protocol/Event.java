package io.github.fencedwrite.internal.protocol;

/** What can happen to an attempt. */
public sealed interface Event {

    /** The attempt begins. */
    record Begin() implements Event {}

    /** A node answered {@code command}, or it is certain that it will not in time. At most once for each command sent. */
    record Answered(int node, Command command, Answer answer) implements Event {}

    /** Time has passed and nothing else happened. */
    record Tick() implements Event {}

    /** The holder wants the validity renewed; a round still under way is given up for the new one. */
    record Extend() implements Event {}

    /** The holder gives the lock back. */
    record Release() implements Event {}

    /** The caller no longer wants the lock: interrupted, or its wait is over. */
    record GiveUp() implements Event {}
}
