/**
 * The lock protocol as state machines: an event and the time go in, actions come out. No thread, socket, clock or
 * random number may live here, so that a simulation can drive the very code that runs in production.
 */
@NullMarked
package io.github.fencedwrite.internal.protocol;

import org.jspecify.annotations.NullMarked;
