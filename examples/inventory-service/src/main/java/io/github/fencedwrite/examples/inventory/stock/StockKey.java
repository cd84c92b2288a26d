package io.github.fencedwrite.examples.inventory.stock;

import io.github.fencedwrite.examples.inventory.RejectedException;
import io.github.fencedwrite.examples.inventory.product.Product;
import java.util.regex.Pattern;

/**
 * Which stock: a product in a warehouse.
 *
 * @param warehouse 1 to 32 lower-case letters, digits or hyphens
 * @param sku see {@link Product}
 */
public record StockKey(String warehouse, String sku) {

    private static final Pattern WAREHOUSE = Pattern.compile("[a-z0-9-]{1,32}");

    /** Checks the ranges. */
    public StockKey {
        requireWarehouse(warehouse);
        Product.requireSku(sku);
    }

    /** Returns {@code warehouse} if it can be one. */
    public static String requireWarehouse(String warehouse) {
        if (!WAREHOUSE.matcher(warehouse).matches()) {
            throw new RejectedException(
                    RejectedException.Reason.INVALID_VALUE,
                    "A warehouse is 1 to 32 lower-case letters, digits or hyphens");
        }
        return warehouse;
    }

    /** The name under which this stock, its reservations included, is locked. One row, one resource. */
    public String resource() {
        return "stock:" + warehouse + ":" + sku;
    }

    @Override
    public String toString() {
        return warehouse + "/" + sku;
    }
}
