package io.github.fencedwrite.examples.boot;

/** There is not enough in stock, or the reservation was not approved. */
final class NotReservedException extends RuntimeException {

    NotReservedException(Product product, int quantity) {
        super(quantity + " of " + product.sku() + " were not reserved, " + product.stock() + " are in stock.");
    }
}
