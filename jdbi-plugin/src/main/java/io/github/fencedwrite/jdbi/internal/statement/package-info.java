/**
 * A single guarded statement from Jdbi's or JDBC's hands to its outcome: rewritten, given its token, executed, and its result
 * explained. No grammar of SQL here ({@code sql}), no annotations ({@code sqlobject}), and of transactions nothing but that a
 * statement may be inside of one ({@code transaction}).
 */
@NullMarked
package io.github.fencedwrite.jdbi.internal.statement;

import org.jspecify.annotations.NullMarked;
