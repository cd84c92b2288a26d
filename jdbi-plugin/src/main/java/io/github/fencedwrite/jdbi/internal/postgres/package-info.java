/**
 * Facts about PostgreSQL and its driver: error codes, settings, what a table looks like. Imports no other package of
 * {@code internal}, and decides nothing: what a fact means for a statement or a transaction is said where those live.
 */
@NullMarked
package io.github.fencedwrite.jdbi.internal.postgres;

import org.jspecify.annotations.NullMarked;
