package io.github.fencedwrite.examples.inventory.stock;

import io.github.fencedwrite.examples.inventory.RejectedException;

/**
 * What a warehouse has of a product.
 *
 * @param available pieces that are not reserved, 0 to 1,000,000,000
 */
public record Stock(String warehouse, String sku, int available) {

    /** The most that a warehouse can have of one product. */
    public static final int MOST = 1_000_000_000;

    /** Checks the range. */
    public Stock {
        if (available < 0 || available > MOST) {
            throw new RejectedException(
                    RejectedException.Reason.INVALID_VALUE, "available is 0 to " + MOST + ", not " + available);
        }
    }

    /** Which stock this is. */
    public StockKey key() {
        return new StockKey(warehouse, sku);
    }

    /**
     * What is left after {@code quantity} was taken.
     *
     * @throws RejectedException if there is not enough
     */
    public Stock minus(Quantity quantity) {
        if (available < quantity.pieces()) {
            throw new RejectedException(
                    RejectedException.Reason.NOT_ENOUGH_STOCK,
                    quantity.pieces() + " pieces of " + sku + " were asked for, but " + warehouse + " has " + available
                            + ". Ask for fewer, or transfer some there first.");
        }
        return new Stock(warehouse, sku, available - quantity.pieces());
    }

    /** What is there after {@code quantity} was put back. */
    public Stock plus(Quantity quantity) {
        return new Stock(warehouse, sku, available + quantity.pieces());
    }
}
