@NullMarked
package io.github.fencedwrite.examples.boot;

import org.jspecify.annotations.NullMarked;
