/**
 * Nothing but the packages below, whose imports run one way: {@code sqlobject} builds on {@code transaction}, both build on
 * {@code statement}, that on {@code sql} and {@code ownership}, that on {@code postgres}, and {@code sql} and {@code postgres} on
 * nothing here.
 */
@NullMarked
package io.github.fencedwrite.jdbi.internal;

import org.jspecify.annotations.NullMarked;
