/**
 * Attacks the guarantees on real servers: worker processes write under leases while a nemesis breaks workers, nodes, the
 * network and the database; then the database's own history tells whether anything was lost. {@code Chaos} is the entry.
 */
@NullMarked
package io.github.fencedwrite.examples.chaos;

import org.jspecify.annotations.NullMarked;
