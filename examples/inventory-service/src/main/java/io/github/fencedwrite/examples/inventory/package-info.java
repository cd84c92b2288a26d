/**
 * The inventory service: its start, its configuration and its wiring. Each feature has a package of its own below;
 * nothing there exists for demonstration only. The stories live in {@code story}, the page that shows them in {@code
 * page}.
 */
@NullMarked
package io.github.fencedwrite.examples.inventory;

import org.jspecify.annotations.NullMarked;
