package io.github.fencedwrite.examples.servers;

/** What a Redis node finds on its disk when it is started again. */
public enum Data {

    /**
     * Everything it had answered. With the default settings the node appends each command to its log before it answers,
     * so that nothing is lost when it is killed. A node started with {@code --appendonly no} finds its last RDB file
     * instead, as Redis does by default: the one that {@code SAVE}, {@code BGSAVE} or a {@code --save} point has written.
     */
    KEPT,

    /** Nothing. */
    LOST,

    /** The state at the last {@link RedisNode#saveSnapshot()}: older than what it had answered. */
    SNAPSHOT
}
