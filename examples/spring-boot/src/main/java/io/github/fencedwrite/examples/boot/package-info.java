/** A Spring Boot service whose writes a stale lock holder cannot make. Everything here is what an application writes. */
@NullMarked
package io.github.fencedwrite.examples.boot;

import org.jspecify.annotations.NullMarked;
