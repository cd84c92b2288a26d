/** Reservations on real servers. */
package io.github.fencedwrite.examples.inventory.reservation;
