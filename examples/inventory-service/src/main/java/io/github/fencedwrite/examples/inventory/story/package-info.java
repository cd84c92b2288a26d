/**
 * The story of the paused lock holder, played with a second JVM that is really stopped. Nothing here belongs into a
 * service.
 */
@NullMarked
package io.github.fencedwrite.examples.inventory.story;

import org.jspecify.annotations.NullMarked;
