package io.github.fencedwrite.examples.inventory.story;

import java.io.PrintStream;
import java.util.Locale;

/** Prints what happened, with the seconds since it began. Safe for use by several threads. */
final class Timeline {

    private final PrintStream out;
    private final long begun = System.nanoTime();

    Timeline(PrintStream out) {
        this.out = out;
    }

    void heading(String text) {
        out.println();
        out.println(text);
    }

    void event(String who, String what) {
        out.printf(Locale.ROOT, "%8.3f s  %-2s %s%n", (System.nanoTime() - begun) / 1e9, who, what);
    }
}
