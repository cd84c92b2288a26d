/**
 * Breaks one mechanism after the other in a copy of the sources and expects that a test fails. What the mechanisms are stands
 * in the lists beside this module's pom, not here.
 */
@NullMarked
package io.github.fencedwrite.examples.mutants;

import org.jspecify.annotations.NullMarked;
