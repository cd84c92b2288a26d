package io.github.fencedwrite.internal.protocol;

/** What an attempt wants done, in this order. */
public sealed interface Action {

    /** Write {@code command} to {@code node} behind everything that this attempt sent there before. */
    record Send(int node, Command command) implements Action {}

    /** The result is certain; what else comes is after-care and may be done in the background. */
    record Decide(Verdict verdict) implements Action {}
}
