/** The inventory service on real servers. */
package io.github.fencedwrite.examples.inventory;
