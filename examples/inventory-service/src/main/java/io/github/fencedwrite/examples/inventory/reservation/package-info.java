/** Reservations of stock, from the request to their confirmation, cancellation or expiry. */
@NullMarked
package io.github.fencedwrite.examples.inventory.reservation;

import org.jspecify.annotations.NullMarked;
