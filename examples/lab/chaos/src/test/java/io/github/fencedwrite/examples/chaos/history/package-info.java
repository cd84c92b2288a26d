/** The checker on histories made by hand. */
package io.github.fencedwrite.examples.chaos.history;
