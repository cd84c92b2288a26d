/**
 * Tests of the servers that all other tests run on. They use real servers and no client library for Redis.
 */
@NullMarked
package io.github.fencedwrite.examples.servers;

import org.jspecify.annotations.NullMarked;
