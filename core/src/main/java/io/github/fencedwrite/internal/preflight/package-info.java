/**
 * Looks at the nodes before they are relied on, and puts into words what is wrong and how to mend it. Takes no part in
 * locking.
 */
@NullMarked
package io.github.fencedwrite.internal.preflight;

import org.jspecify.annotations.NullMarked;
