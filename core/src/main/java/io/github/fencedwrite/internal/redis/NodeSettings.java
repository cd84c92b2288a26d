package io.github.fencedwrite.internal.redis;

/**
 * What all nodes of a client have in common.
 *
 * @param timeoutNanos how long a node may take for a connection or for one answer, positive
 * @param retentionMillis how long a counter outlives its last use, 0 for ever
 * @param quarantineMillis how long a restarted node does not vote, 0 for no quarantine
 */
public record NodeSettings(long timeoutNanos, long retentionMillis, long quarantineMillis) {}
