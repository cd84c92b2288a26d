/** What breaks things, with a seed. It knows processes, nodes and connections, and nothing of what they are used for. */
@NullMarked
package io.github.fencedwrite.examples.chaos.nemesis;

import org.jspecify.annotations.NullMarked;
