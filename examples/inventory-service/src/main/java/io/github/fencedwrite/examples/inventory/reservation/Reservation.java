package io.github.fencedwrite.examples.inventory.reservation;

import io.github.fencedwrite.examples.inventory.RejectedException;
import io.github.fencedwrite.examples.inventory.stock.Quantity;
import io.github.fencedwrite.examples.inventory.stock.StockKey;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/**
 * Pieces that were taken out of stock for a customer. Immutable: each transition answers the reservation as it is
 * afterwards.
 *
 * @param expiresAt from when on a pending reservation can no longer be confirmed, and its pieces go back
 */
public record Reservation(
        UUID id, String warehouse, String sku, int quantity, ReservationState state, Instant expiresAt) {

    /** A new reservation. */
    public static Reservation pending(StockKey stock, Quantity quantity, Instant expiresAt) {
        return new Reservation(
                UUID.randomUUID(),
                stock.warehouse(),
                stock.sku(),
                quantity.pieces(),
                ReservationState.PENDING,
                expiresAt.truncatedTo(ChronoUnit.MICROS)); // as the database keeps it
    }

    /** Where the pieces came from, and the lock under which this reservation changes. */
    public StockKey stock() {
        return new StockKey(warehouse, sku);
    }

    /** How many pieces. */
    public Quantity pieces() {
        return new Quantity(quantity);
    }

    /**
     * The customer has paid. Confirming again changes nothing.
     *
     * @throws RejectedException if it was cancelled, or its time has run out
     */
    public Reservation confirmed(Instant now) {
        return switch (state) {
            case CONFIRMED -> this;
            case PENDING -> {
                if (!now.isBefore(expiresAt)) {
                    throw wrongState("expired at " + expiresAt);
                }
                yield in(ReservationState.CONFIRMED);
            }
            case CANCELLED, EXPIRED -> throw wrongState("is " + state);
        };
    }

    /**
     * The customer does not want it any more. Cancelling again changes nothing.
     *
     * @throws RejectedException if it was confirmed, or has expired
     */
    public Reservation cancelled() {
        return switch (state) {
            case CANCELLED -> this;
            case PENDING -> in(ReservationState.CANCELLED);
            case CONFIRMED, EXPIRED -> throw wrongState("is " + state);
        };
    }

    /** Its time has run out, if it is still pending; any other state stays as it is. */
    public Reservation expired(Instant now) {
        return state == ReservationState.PENDING && !now.isBefore(expiresAt) ? in(ReservationState.EXPIRED) : this;
    }

    private Reservation in(ReservationState next) {
        return new Reservation(id, warehouse, sku, quantity, next, expiresAt);
    }

    private RejectedException wrongState(String why) {
        return new RejectedException(
                RejectedException.Reason.WRONG_STATE,
                "Reservation " + id + " " + why + ". Make a new reservation if the pieces are still wanted.");
    }
}
