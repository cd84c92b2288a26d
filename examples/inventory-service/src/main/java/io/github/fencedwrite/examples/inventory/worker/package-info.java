/**
 * Processes that sell, so that they can be stopped: for the stories and the page. Nothing here belongs into a service.
 */
@NullMarked
package io.github.fencedwrite.examples.inventory.worker;

import org.jspecify.annotations.NullMarked;
