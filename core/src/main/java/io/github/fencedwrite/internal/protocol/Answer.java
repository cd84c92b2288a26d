package io.github.fencedwrite.internal.protocol;

import io.github.fencedwrite.NodeFailure;

/** What came back for a {@link Command}. */
public sealed interface Answer {

    /** To acquire: the lock is this owner's, and the counter now stands at {@code counter}. */
    record Granted(long counter) implements Answer {}

    /**
     * To acquire: another owner has the lock.
     *
     * @param remainingMillis how long the other's key lives, −1 if it never expires
     * @param label what the other shows of itself to people, may be empty
     */
    record Busy(long remainingMillis, String label) implements Answer {

        /** By an owner without a label. */
        public Busy(long remainingMillis) {
            this(remainingMillis, "");
        }
    }

    /** To any other command: done. */
    record Yes() implements Answer {}

    /** To any other command: not done, since the lock is not this owner's or the counter is missing or higher. */
    record No() implements Answer {}

    /**
     * No usable answer.
     *
     * @param mayHaveRun whether the node may have executed the command all the same (a lost reply), or certainly did not
     */
    record Failed(NodeFailure failure, boolean mayHaveRun) implements Answer {}
}
