@NullMarked
package io.github.fencedwrite.examples.firststeps;

import org.jspecify.annotations.NullMarked;
