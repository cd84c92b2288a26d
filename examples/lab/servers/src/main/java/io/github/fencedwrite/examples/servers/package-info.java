/**
 * Redis nodes and PostgreSQL for tests, benchmarks and the example: started as containers or as embedded binaries, or
 * given by address, and broken on purpose. Nothing of the toolkit lives here and nothing here may depend on it, since its
 * own tests run on these servers.
 */
@NullMarked
package io.github.fencedwrite.examples.servers;

import org.jspecify.annotations.NullMarked;
