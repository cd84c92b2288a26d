/**
 * How the guard is hooked into Jdbi: a parser that rewrites, a statement that adds the token and a reader of what came back.
 * No SQL grammar here; that lives in {@code sql} below.
 */
@NullMarked
package io.github.fencedwrite.jdbi.internal;

import org.jspecify.annotations.NullMarked;
