/** What operators look at: health, readiness and metrics. */
@NullMarked
package io.github.fencedwrite.examples.inventory.operations;

import org.jspecify.annotations.NullMarked;
