/**
 * Runs the protocol over the nodes: attempts, waiting, and the life of a lease. No Redis command or socket is touched
 * here, and no decision of the protocol is taken here.
 */
@NullMarked
package io.github.fencedwrite.internal.lease;

import org.jspecify.annotations.NullMarked;
