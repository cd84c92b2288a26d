/** Requests that may arrive twice and must take effect once. */
@NullMarked
package io.github.fencedwrite.examples.inventory.idempotency;

import org.jspecify.annotations.NullMarked;
