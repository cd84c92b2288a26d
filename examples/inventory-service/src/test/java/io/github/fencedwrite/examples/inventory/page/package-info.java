/** The page in a real browser. */
package io.github.fencedwrite.examples.inventory.page;
