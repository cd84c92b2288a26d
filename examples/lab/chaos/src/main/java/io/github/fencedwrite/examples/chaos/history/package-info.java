/**
 * What happened, by two independent witnesses: the database's audit table and the workers' journals; and the checker that
 * compares them. Nothing here starts or breaks anything.
 */
@NullMarked
package io.github.fencedwrite.examples.chaos.history;

import org.jspecify.annotations.NullMarked;
