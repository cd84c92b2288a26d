/**
 * What PostgreSQL can do by itself, in the same domain, for work that needs no lock service: shorter, cheaper, and
 * right where the table in the README says so.
 */
@NullMarked
package io.github.fencedwrite.examples.inventory.alternatives;

import org.jspecify.annotations.NullMarked;
