/** Transfers of stock from one warehouse to another: two locks, two tables, one transaction. */
@NullMarked
package io.github.fencedwrite.examples.inventory.transfer;

import org.jspecify.annotations.NullMarked;
