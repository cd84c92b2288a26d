/**
 * Locks without servers, for applications' unit tests. Everything here runs on callers' threads and by a clock that they set;
 * nothing of it is used by the client of real nodes.
 */
@NullMarked
package io.github.fencedwrite.internal.memory;

import org.jspecify.annotations.NullMarked;
