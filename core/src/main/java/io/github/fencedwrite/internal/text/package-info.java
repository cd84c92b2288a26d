/** How names and foreign words are shown to people. Depends on nothing else here. */
@NullMarked
package io.github.fencedwrite.internal.text;

import org.jspecify.annotations.NullMarked;
