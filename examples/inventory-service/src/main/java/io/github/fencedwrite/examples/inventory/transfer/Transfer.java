package io.github.fencedwrite.examples.inventory.transfer;

import io.github.fencedwrite.examples.inventory.RejectedException;
import io.github.fencedwrite.examples.inventory.stock.Quantity;
import io.github.fencedwrite.examples.inventory.stock.StockKey;
import java.util.UUID;

/**
 * Pieces that were moved from one warehouse to another.
 *
 * @param fromWarehouse where they were taken
 * @param toWarehouse where they were put, another one
 */
public record Transfer(UUID id, String fromWarehouse, String toWarehouse, String sku, int quantity) {

    /** Checks that the warehouses differ. */
    public Transfer {
        if (fromWarehouse.equals(toWarehouse)) {
            throw new RejectedException(
                    RejectedException.Reason.INVALID_VALUE,
                    "A transfer goes from one warehouse to another, but both are \"" + toWarehouse + "\".");
        }
    }

    /** A new transfer. */
    public static Transfer of(String fromWarehouse, String toWarehouse, String sku, Quantity quantity) {
        return new Transfer(UUID.randomUUID(), fromWarehouse, toWarehouse, sku, quantity.pieces());
    }

    /** The stock that loses the pieces. */
    public StockKey from() {
        return new StockKey(fromWarehouse, sku);
    }

    /** The stock that gets them. */
    public StockKey to() {
        return new StockKey(toWarehouse, sku);
    }

    /** How many pieces. */
    public Quantity pieces() {
        return new Quantity(quantity);
    }
}
