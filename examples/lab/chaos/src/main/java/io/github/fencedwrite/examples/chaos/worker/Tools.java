package io.github.fencedwrite.examples.chaos.worker;

import org.jdbi.v3.core.Jdbi;

/**
 * What work is done with.
 *
 * @param guards how writes are guarded, or not
 * @param jdbi for most tables
 * @param announcing for strict tables
 * @param journal of this process
 */
record Tools(Guards guards, Jdbi jdbi, Jdbi announcing, Journal journal) {}
