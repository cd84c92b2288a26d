/** The story of the paused lock holder on the console. Nothing here belongs into a service. */
@NullMarked
package io.github.fencedwrite.examples.inventory.story;

import org.jspecify.annotations.NullMarked;
