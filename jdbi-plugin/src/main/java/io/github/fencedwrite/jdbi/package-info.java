/**
 * Guarded writes for Jdbi on PostgreSQL: annotations, the fluent facade, outcomes and their exceptions. How statements are
 * rewritten and hooked into Jdbi lives in {@code internal} below, which is no public API and may change at any time.
 */
@NullMarked
package io.github.fencedwrite.jdbi;

import org.jspecify.annotations.NullMarked;
