/** The story of the paused holder, played as a test. */
package io.github.fencedwrite.examples.inventory.story;
