package io.github.fencedwrite.internal.redis;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Reads, a little later and for all nodes at once, the replies that no caller waited for. Sleeps if there are none. */
public final class Sweeper {

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

    private final List<Node> nodes;
    private final Background background;
    private final AtomicBoolean scheduled = new AtomicBoolean();

    public Sweeper(List<Node> nodes, Background background) {
        this.nodes = nodes;
        this.background = background;
    }

    /** Something was left unread. */
    public void sweepSoon() {
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            background.runAfter(PAUSE, this::sweep);
        }
    }

    private void sweep() {
        scheduled.set(false);
        boolean left = false;
        for (Node node : nodes) {
            left |= node.sweep();
        }
        if (left) {
            sweepSoon();
        }
    }
}
