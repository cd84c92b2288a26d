package io.github.fencedwrite.internal.simulation;

import java.util.PriorityQueue;

/** Virtual time, in nanoseconds since the world began, and what is to happen when. Equal times keep the order of planning. */
final class Agenda {

    private final PriorityQueue<Entry> entries = new PriorityQueue<>(64);
    private long now;
    private long planned;

    long now() {
        return now;
    }

    void at(long time, Runnable what) {
        entries.add(new Entry(Math.max(time, now), planned++, what));
    }

    void in(long delay, Runnable what) {
        at(now + delay, what);
    }

    /** Plays all that happens up to {@code end}, and lets time pass until then. */
    void runUntil(long end) {
        for (Entry next = entries.peek(); next != null && next.time <= end; next = entries.peek()) {
            entries.remove();
            now = next.time;
            next.what.run();
        }
        now = end;
    }

    private record Entry(long time, long number, Runnable what) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            return time != other.time ? Long.compare(time, other.time) : Long.compare(number, other.number);
        }
    }
}
