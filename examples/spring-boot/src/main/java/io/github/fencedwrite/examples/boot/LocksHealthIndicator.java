package io.github.fencedwrite.examples.boot;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.NodeStatus;
import java.util.List;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.stereotype.Component;

/** Up while a majority of the nodes can vote; asks no node, but tells what the client knows of them. */
@Component
class LocksHealthIndicator extends AbstractHealthIndicator {

    private final FencedLocks locks;

    LocksHealthIndicator(FencedLocks locks) {
        super("The state of the nodes is not known");
        this.locks = locks;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        List<NodeStatus> nodes = locks.nodeStatuses();
        long voting = 0;
        for (NodeStatus node : nodes) {
            boolean votes = node.up() && node.quarantinedFor().isZero();
            voting += votes ? 1 : 0;
            health.withDetail(node.node(), votes ? "votes" : node.up() ? "in quarantine" : "down");
        }
        if (voting > nodes.size() / 2) {
            health.up();
        } else {
            health.down();
        }
    }
}
