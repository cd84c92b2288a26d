package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.LockNotAcquiredException;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for what within one client. For each resource the first in the queue attempts; the others wait for their turn,
 * so that a hundred waiters cost the nodes no more than one. Safe for use by many threads.
 */
final class WaitQueue {

    private final Map<String, Line> lines = new ConcurrentHashMap<>();
    private final Watcher watcher;

    /** Told which resources somebody waits for in vain. */
    interface Watcher {

        void watch(String resource);

        void unwatch(String resource);
    }

    WaitQueue(Watcher watcher) {
        this.watcher = watcher;
    }

    /**
     * Joins the queue of {@code resource} at its end.
     *
     * @param wake run, on any thread, when the turn comes or a release is heard of; may be run in vain and must not block
     */
    Turn enter(String resource, Runnable wake) {
        Turn[] mine = new Turn[1];
        lines.compute(resource, (name, existing) -> {
            Line line = existing == null ? new Line() : existing;
            mine[0] = new Turn(resource, line, wake, existing == null);
            line.turns.addLast(mine[0]);
            return line;
        });
        return mine[0];
    }

    /**
     * The attempt of the one whose turn it was did not succeed; from now on a release is worth hearing of.
     *
     * @param why remembered for all who wait; null changes nothing
     */
    void refused(Turn turn, @Nullable LockNotAcquiredException why) {
        Line line = turn.line;
        if (why != null) {
            line.lastRefusal = why;
        }
        boolean[] first = new boolean[1];
        lines.computeIfPresent(turn.resource, (name, present) -> {
            first[0] = present == line && !line.watched;
            line.watched |= first[0];
            return present;
        });
        if (first[0]) {
            watcher.watch(turn.resource);
        }
    }

    /** Leaves the queue, whether the turn had come or not; the next one gets it. */
    void leave(Turn turn) {
        Turn[] next = new Turn[1];
        boolean[] closed = new boolean[1];
        lines.computeIfPresent(turn.resource, (name, line) -> {
            boolean removed = line.turns.remove(turn);
            Turn head = line.turns.peekFirst();
            if (head != null && !head.first) {
                head.first = true;
                next[0] = head;
            }
            closed[0] = removed && head == null && line.watched;
            return head == null ? null : line;
        });
        if (next[0] != null) {
            next[0].wake.run();
        }
        if (closed[0]) {
            watcher.unwatch(turn.resource);
        }
    }

    /** Somebody may have released {@code resource}. */
    void hint(String resource) {
        Turn[] head = new Turn[1];
        lines.computeIfPresent(resource, (name, line) -> {
            head[0] = line.turns.peekFirst();
            return line;
        });
        if (head[0] != null) {
            head[0].hinted = true;
            head[0].wake.run();
        }
    }

    /** All who wait for one resource. */
    private static final class Line {

        final ArrayDeque<Turn> turns = new ArrayDeque<>();
        volatile @Nullable LockNotAcquiredException lastRefusal;
        boolean watched;
    }

    /** Wakes everybody, for example since the client is closed. */
    void hintAll() {
        lines.keySet().forEach(this::hint);
    }

    /** A place in the queue. */
    static final class Turn {

        private final String resource;
        private final Runnable wake;
        private final Line line;
        private volatile boolean first;
        private volatile boolean hinted;

        Turn(String resource, Line line, Runnable wake, boolean first) {
            this.resource = resource;
            this.line = line;
            this.wake = wake;
            this.first = first;
        }

        /** Why the latest attempt of anybody in this queue failed. */
        @Nullable LockNotAcquiredException lastRefusal() {
            return line.lastRefusal;
        }

        boolean isFirst() {
            return first;
        }

        /** Whether a release was heard of since this was last asked. */
        boolean takeHint() {
            boolean heard = hinted;
            hinted = false;
            return heard;
        }
    }
}
