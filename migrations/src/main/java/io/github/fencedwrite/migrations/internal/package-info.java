/**
 * How the schema {@code fencing} is brought up to date on one connection, and the history that Flyway can read. No public
 * API: anything here may change at any time, and only the callback and the Java migration may name classes of Flyway.
 */
@NullMarked
package io.github.fencedwrite.migrations.internal;

import org.jspecify.annotations.NullMarked;
