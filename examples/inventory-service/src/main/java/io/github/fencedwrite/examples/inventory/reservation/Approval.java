package io.github.fencedwrite.examples.inventory.reservation;

import io.github.fencedwrite.examples.inventory.stock.Quantity;
import io.github.fencedwrite.examples.inventory.stock.Stock;

/**
 * The slow part between reading and writing: a credit check, a price, a call to another service. It is the reason why
 * the work takes a lock and not one SQL statement, and the moment in which a process may be paused.
 */
@FunctionalInterface
public interface Approval {

    /**
     * Tells whether {@code quantity} of {@code stock} may be sold. Called outside of transactions; may take seconds.
     */
    boolean approves(Stock stock, Quantity quantity);
}
