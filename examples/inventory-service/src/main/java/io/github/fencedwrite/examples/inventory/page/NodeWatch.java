package io.github.fencedwrite.examples.inventory.page;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.LockNotAcquiredException;
import io.github.fencedwrite.NodeStatus;
import io.github.fencedwrite.examples.inventory.local.LocalNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Tells the pages how the nodes are: what was done to each, whether it votes, and whose lock it has. Thread safe. */
final class NodeWatch implements AutoCloseable {

    private static final long PAUSE_MILLIS = 150;
    private static final String WATCHED = "page:watch";
    private static final Duration TOUCH = Duration.ofMillis(500);

    private final List<LocalNode> nodes;
    private final FencedLocks locks;
    private final PageEvents events;
    private final Map<String, NodeView> told = new ConcurrentHashMap<>();
    private final Map<String, NodeLocks.Lock> toldLocks = new ConcurrentHashMap<>();
    private final NodeLocks nodeLocks;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "node-watch");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * How a node is.
     *
     * @param quarantined whether it will not vote yet, since it was restarted
     */
    record NodeView(
            long at, String name, LocalNode.State state, boolean quarantined, long aheadSeconds, boolean hasClock) {

        boolean saysTheSameAs(NodeView other) {
            return state == other.state && quarantined == other.quarantined && aheadSeconds == other.aheadSeconds;
        }
    }

    /** Whose lock a node has: token 0 for none. */
    record LockView(long at, String node, long token) {}

    NodeWatch(List<LocalNode> nodes, Duration leaseTtl, Supplier<String> resource, PageEvents events) {
        this.nodes = nodes;
        this.locks = FencedLocks.builder()
                .nodes(nodes.stream().map(LocalNode::uri).toList())
                .maxTtl(leaseTtl)
                .build();
        this.events = events;
        this.nodeLocks = new NodeLocks(nodes, resource, this::tellLock);
        var unused = timer.scheduleWithFixedDelay(this::look, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        touch();
        List<NodeStatus> statuses = locks.nodeStatuses();
        for (int i = 0; i < nodes.size(); i++) {
            NodeView now = view(nodes.get(i), statuses.get(i));
            NodeView before = told.put(now.name(), now);
            if (before == null || !now.saysTheSameAs(before)) {
                events.send("node", now);
            }
        }
    }

    /** A client notices that a node was restarted when it talks to it; this one has nothing else to do. */
    private void touch() {
        try {
            locks.acquire(WATCHED, TOUCH, Duration.ZERO).close();
        } catch (LockNotAcquiredException expected) {
            // that is what is to be seen
        }
    }

    private static NodeView view(LocalNode node, NodeStatus status) {
        return new NodeView(
                System.currentTimeMillis(),
                node.name(),
                node.state(),
                status.up() && !status.quarantinedFor().isZero(),
                node.clockAhead().toSeconds(),
                node.hasClock());
    }

    private void tellLock(LocalNode node, NodeLocks.Lock lock) {
        NodeLocks.Lock before = toldLocks.put(node.name(), lock);
        if (before == null || before.held() != lock.held() || before.token() != lock.token()) {
            events.send("lock", new LockView(System.currentTimeMillis(), node.name(), lock.token()));
        }
    }

    /** How many nodes vote now. */
    long voting() {
        return locks.nodeStatuses().stream()
                .filter(status -> status.up() && status.quarantinedFor().isZero())
                .count();
    }

    @Override
    public void close() {
        nodeLocks.close();
        timer.shutdownNow();
        locks.close();
    }
}
