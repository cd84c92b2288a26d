/** Servers for a first look, where the configuration names none. A service of your own needs none of this. */
@NullMarked
package io.github.fencedwrite.examples.inventory.local;

import org.jspecify.annotations.NullMarked;
