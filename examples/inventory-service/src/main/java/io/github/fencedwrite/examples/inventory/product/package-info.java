/** Products: blind writes by level 1, on a table that refuses every other way (level 4). */
@NullMarked
package io.github.fencedwrite.examples.inventory.product;

import org.jspecify.annotations.NullMarked;
