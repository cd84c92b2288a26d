/**
 * Talks to the Redis nodes over the loop: scripts, keys, the one connection to each node, and what a node is owed. Knows
 * nothing of quorums and tokens; those live in the protocol.
 */
@NullMarked
package io.github.fencedwrite.internal.redis;

import org.jspecify.annotations.NullMarked;
