/**
 * Nothing but the packages below, whose imports run one way: {@code transaction} and {@code sqlobject} build on
 * {@code statement}, that builds on {@code sql} and {@code postgres}, and these two on nothing here.
 */
@NullMarked
package io.github.fencedwrite.jdbi.internal;

import org.jspecify.annotations.NullMarked;
