/**
 * Leases with fencing tokens: what an application sees of the lock client. Nothing here opens a socket or knows Redis
 * commands; that lives in {@code internal} below, which is no public API and may change at any time.
 */
@NullMarked
package io.github.fencedwrite;

import org.jspecify.annotations.NullMarked;
