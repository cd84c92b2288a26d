/**
 * The guard as text: a scanner for PostgreSQL's lexical rules and the splicer that puts the two fragments of the guard
 * into a statement. Nothing here may know Jdbi, JDBC or the database; text goes in, text or a refusal comes out.
 */
@NullMarked
package io.github.fencedwrite.jdbi.internal.sql;

import org.jspecify.annotations.NullMarked;
