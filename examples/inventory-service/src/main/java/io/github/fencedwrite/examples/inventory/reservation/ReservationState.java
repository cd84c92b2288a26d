package io.github.fencedwrite.examples.inventory.reservation;

/** What has become of a reservation. */
public enum ReservationState {
    /** The pieces are set aside until it expires. */
    PENDING,
    /** The pieces are sold. */
    CONFIRMED,
    /** Given up; the pieces are back in stock. */
    CANCELLED,
    /** Not confirmed in time; the pieces are back in stock. */
    EXPIRED
}
