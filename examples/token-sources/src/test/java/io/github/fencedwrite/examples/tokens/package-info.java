@NullMarked
package io.github.fencedwrite.examples.tokens;

import org.jspecify.annotations.NullMarked;
