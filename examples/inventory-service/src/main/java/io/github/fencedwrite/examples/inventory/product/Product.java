package io.github.fencedwrite.examples.inventory.product;

import io.github.fencedwrite.examples.inventory.RejectedException;
import java.util.regex.Pattern;

/**
 * Something that is sold.
 *
 * @param sku stock keeping unit: 1 to 64 letters, digits, dots, hyphens or underscores
 * @param name for people, 1 to 200 characters
 * @param priceCents 0 to 100,000,000
 */
public record Product(String sku, String name, long priceCents) {

    private static final Pattern SKU = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final int LONGEST_NAME = 200;
    private static final long HIGHEST_PRICE = 100_000_000;

    /** Checks the ranges. */
    public Product {
        requireSku(sku);
        if (name.isBlank() || name.length() > LONGEST_NAME || name.indexOf('\0') >= 0) {
            throw invalid("name is 1 to " + LONGEST_NAME + " characters");
        }
        if (priceCents < 0 || priceCents > HIGHEST_PRICE) {
            throw invalid("priceCents is 0 to " + HIGHEST_PRICE + ", not " + priceCents);
        }
    }

    /** Returns {@code sku} if it can be one. */
    public static String requireSku(String sku) {
        if (!SKU.matcher(sku).matches()) {
            throw invalid("sku is 1 to 64 letters, digits, dots, hyphens or underscores");
        }
        return sku;
    }

    /** The name under which this product is locked. */
    public String resource() {
        return "product:" + sku;
    }

    private static RejectedException invalid(String rule) {
        return new RejectedException(RejectedException.Reason.INVALID_VALUE, rule);
    }
}
