package io.github.fencedwrite.examples.boot;

import java.math.BigDecimal;

/** One row of the table {@code product}. */
record Product(String sku, BigDecimal price, int stock) {}
