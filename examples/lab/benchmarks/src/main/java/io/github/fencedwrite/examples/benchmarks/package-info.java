/**
 * Compares the cost of leases and guarded writes with what people would pick instead. The only place that may depend on
 * other lock libraries.
 */
@NullMarked
package io.github.fencedwrite.examples.benchmarks;

import org.jspecify.annotations.NullMarked;
