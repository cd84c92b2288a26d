package io.github.fencedwrite.internal.loop;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** What is to be done at a point in time. Used in steps only. */
public final class Deadlines {

    private final PriorityQueue<Deadline> queue = new PriorityQueue<>();
    private int cancelled;

    /** Runs {@code task} in the first step at or after {@code at}. */
    public Deadline at(long at, Runnable task) {
        Deadline deadline = new Deadline(this, at, task);
        queue.add(deadline);
        return deadline;
    }

    /** When the next one is due, at the latest {@code latest}. */
    long next(long latest) {
        Deadline first = queue.peek();
        while (first != null && first.task == null) {
            queue.poll();
            cancelled--;
            first = queue.peek();
        }
        return first == null || latest - first.at < 0 ? latest : first.at;
    }

    /** The next one that is due at {@code now}, or null. */
    @Nullable Runnable due(long now) {
        while (true) {
            Deadline first = queue.peek();
            if (first == null || first.at - now > 0) {
                return null;
            }
            queue.poll();
            Runnable task = first.task;
            first.task = null;
            if (task != null) {
                return task;
            }
            cancelled--;
        }
    }

    private void cancelled() {
        // thousands of leases that are released long before they are due must not pile up
        if (++cancelled > 64 && cancelled > queue.size() / 2) {
            queue.removeIf(deadline -> deadline.task == null);
            cancelled = 0;
        }
    }

    /** One of them. */
    public static final class Deadline implements Comparable<Deadline> {

        private final Deadlines all;
        private final long at;
        private @Nullable Runnable task;

        private Deadline(Deadlines all, long at, Runnable task) {
            this.all = all;
            this.at = at;
            this.task = task;
        }

        /** Has it not run; nothing happens if it has, or never will. */
        public void cancel() {
            if (task != null) {
                task = null;
                all.cancelled();
            }
        }

        @Override
        public int compareTo(Deadline other) {
            return Long.signum(at - other.at);
        }
    }
}
