/**
 * The inventory service: how an application uses leases, guarded writes and the migration together. Nothing here exists
 * for demonstration only; the story of the paused holder lives in {@code story} below.
 */
@NullMarked
package io.github.fencedwrite.examples.inventory;

import org.jspecify.annotations.NullMarked;
