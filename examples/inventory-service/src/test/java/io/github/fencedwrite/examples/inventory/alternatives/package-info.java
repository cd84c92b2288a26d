/** What PostgreSQL can do by itself. */
package io.github.fencedwrite.examples.inventory.alternatives;
