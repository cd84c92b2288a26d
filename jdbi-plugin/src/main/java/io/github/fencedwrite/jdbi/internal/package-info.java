/**
 * Nothing but the packages below, whose imports run one way: {@code transaction} and {@code sqlobject} build on
 * {@code statement}, that on {@code sql} and {@code ownership}, that on {@code postgres}, and {@code sql} on nothing here.
 */
@NullMarked
package io.github.fencedwrite.jdbi.internal;

import org.jspecify.annotations.NullMarked;
