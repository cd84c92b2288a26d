/** What all features share about leases: how long they last, and what happens after a stale write. */
@NullMarked
package io.github.fencedwrite.examples.inventory.locking;

import org.jspecify.annotations.NullMarked;
