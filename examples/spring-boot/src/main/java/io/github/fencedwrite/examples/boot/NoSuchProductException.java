package io.github.fencedwrite.examples.boot;

/** No product has this sku. */
final class NoSuchProductException extends RuntimeException {

    NoSuchProductException(String sku) {
        super("There is no product " + sku + ".");
    }
}
