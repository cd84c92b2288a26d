/**
 * Small programs to copy from, each complete: the address of a PostgreSQL database first, then those of the Redis nodes.
 * Each creates the table {@code inventory} if it is missing.
 */
@NullMarked
package io.github.fencedwrite.examples.firststeps;

import org.jspecify.annotations.NullMarked;
