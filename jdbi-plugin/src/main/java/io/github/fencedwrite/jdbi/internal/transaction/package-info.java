/**
 * Fenced transactions: how they begin, what limits them, and what became of their commit. Nothing here may know how a single
 * statement is guarded or which annotations there are.
 */
@NullMarked
package io.github.fencedwrite.jdbi.internal.transaction;

import org.jspecify.annotations.NullMarked;
