package io.github.fencedwrite.examples.inventory;

/** One row of the table {@code inventory}. */
public record Inventory(String sku, int stock) {}
