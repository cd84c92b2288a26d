/**
 * One thread's worth of work for a whole client: non-blocking links, deadlines and tasks, done in steps by whichever thread
 * waits for a result. Knows nothing of Redis or locks, and reads no clock but the one it is given.
 */
@NullMarked
package io.github.fencedwrite.internal.loop;

import org.jspecify.annotations.NullMarked;
