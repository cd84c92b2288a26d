/**
 * Talks to the Redis nodes through Jedis: scripts, keys, connections with their unread replies, and the health of each
 * node. Knows nothing of quorums and tokens; those live in the protocol.
 */
@NullMarked
package io.github.fencedwrite.internal.redis;

import org.jspecify.annotations.NullMarked;
