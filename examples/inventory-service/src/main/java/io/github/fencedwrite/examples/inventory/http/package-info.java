/** HTTP as all features use it: bodies that are read strictly, and problems that say what to do. */
@NullMarked
package io.github.fencedwrite.examples.inventory.http;

import org.jspecify.annotations.NullMarked;
