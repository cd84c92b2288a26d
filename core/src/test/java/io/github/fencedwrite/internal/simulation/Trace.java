package io.github.fencedwrite.internal.simulation;

import java.util.Locale;

/** What happened, one line each, for people; written only when a schedule is replayed. */
final class Trace {

    private final boolean on;
    private final StringBuilder text = new StringBuilder();

    Trace(boolean on) {
        this.on = on;
    }

    /** Ask before composing a line. */
    boolean isOn() {
        return on;
    }

    void add(long now, String line) {
        if (on) {
            text.append(String.format(Locale.ROOT, "%12.3f ms  %s%n", now / 1e6, line));
        }
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
