/** Stock of products in warehouses: one row for each pair, and one lock. */
@NullMarked
package io.github.fencedwrite.examples.inventory.stock;

import org.jspecify.annotations.NullMarked;
