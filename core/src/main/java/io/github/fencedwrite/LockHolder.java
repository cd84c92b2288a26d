package io.github.fencedwrite;

import java.time.Duration;
import java.util.Optional;

/**
 * Who holds a lock on a node.
 *
 * @param owner the owner id, new for each attempt to acquire; what a foreign client wrote is shown as it is
 * @param label what the holder's client was built with, see {@link FencedLocksBuilder#holderLabel}; may be empty
 * @param remaining how long the node keeps the lock if nobody releases or extends it; empty if for ever, which no client of
 *     this library asks for
 */
public record LockHolder(String owner, String label, Optional<Duration> remaining) {}
