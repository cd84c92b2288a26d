/**
 * Fencing tokens that come from elsewhere than Redis: one class for each source, to be copied. What a random owner id does
 * in their place, and what it cannot do, is in {@link io.github.fencedwrite.examples.tokens.OwnedStock}.
 */
@NullMarked
package io.github.fencedwrite.examples.tokens;

import org.jspecify.annotations.NullMarked;
