/**
 * The page that shows leases, tokens and refused writes as they happen, and lets people break things. Nothing here
 * belongs into a service.
 */
@NullMarked
package io.github.fencedwrite.examples.inventory.page;

import org.jspecify.annotations.NullMarked;
