/**
 * The schema {@code fencing} and the ways to install it: what an application sees of the migrations. Only JDBC is needed
 * here, Flyway where a class says so; nothing in this package may know Redis or Jdbi.
 */
@NullMarked
package io.github.fencedwrite.migrations;

import org.jspecify.annotations.NullMarked;
