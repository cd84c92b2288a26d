package io.github.fencedwrite.jdbi.internal.sql;

/**
 * The table that a statement writes.
 *
 * @param from offset of its first character, that of ONLY if it is there
 * @param to offset behind its alias
 * @param table its name, as it is written
 * @param qualifier by what its columns are qualified, as it is written
 */
record Target(int from, int to, String table, String qualifier) {}
