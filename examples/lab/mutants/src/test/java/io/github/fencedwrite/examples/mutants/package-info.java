/** Checks of the lists of mutants and of the table in the README, cheap enough for each build. */
package io.github.fencedwrite.examples.mutants;
