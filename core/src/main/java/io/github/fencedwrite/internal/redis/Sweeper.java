package io.github.fencedwrite.internal.redis;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Reads, a little later and for all nodes at once, the replies that no caller waited for, and keeps idle connections alive. */
public final class Sweeper {

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

    private static final long BEAT = TimeUnit.SECONDS.toNanos(10);
    private static final int BEATS_PER_HOUR = 360;

    private final List<Node> nodes;
    private final Background background;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private int beats;

    public Sweeper(List<Node> nodes, Background background) {
        this.nodes = nodes;
        this.background = background;
    }

    /** Begins to look after connections that lie idle. */
    public void start() {
        background.runAfter(BEAT, this::beat);
    }

    private void beat() {
        beats++;
        boolean renewMembership = beats % BEATS_PER_HOUR == 0;
        nodes.forEach(node -> node.beat(BEAT, renewMembership));
        sweepSoon();
        background.runAfter(BEAT, this::beat);
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
