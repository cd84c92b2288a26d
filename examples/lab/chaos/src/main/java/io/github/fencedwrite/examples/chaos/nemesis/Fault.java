package io.github.fencedwrite.examples.chaos.nemesis;

import java.time.Duration;
import java.util.Set;

/**
 * Something that is broken for a while.
 *
 * @param name the kind
 * @param targets what is broken; nothing else is done to it meanwhile
 * @param forgets which of the targets forget locks or counters
 * @param lasts from striking to healing
 * @param strike breaks it
 * @param heal mends it; runs also if the run comes to its end earlier
 */
record Fault(String name, Set<String> targets, Set<String> forgets, Duration lasts, Runnable strike, Runnable heal) {

    static final Runnable NOTHING = () -> {};
}
