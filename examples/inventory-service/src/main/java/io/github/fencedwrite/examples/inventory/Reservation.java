package io.github.fencedwrite.examples.inventory;

/**
 * What became of a request to reserve stock.
 *
 * @param granted whether the quantity was taken
 * @param stock what is left in stock
 */
public record Reservation(boolean granted, int stock) {}
