/** The worker process: takes leases, reads, decides and writes, and keeps a journal of what it meant and what it was told. */
@NullMarked
package io.github.fencedwrite.examples.chaos.worker;

import org.jspecify.annotations.NullMarked;
