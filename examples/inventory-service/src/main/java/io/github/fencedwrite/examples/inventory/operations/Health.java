package io.github.fencedwrite.examples.inventory.operations;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.NodeStatus;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/** Whether this instance can do its work. Thread safe. */
public final class Health {

    private static final int DATABASE_TIMEOUT_SECONDS = 1;

    private final FencedLocks locks;
    private final DataSource dataSource;
    private final AtomicBoolean closing = new AtomicBoolean();

    /** Creates the check. */
    public Health(FencedLocks locks, DataSource dataSource) {
        this.locks = locks;
        this.dataSource = dataSource;
    }

    /** From now on this instance is not ready: it ends. */
    public void closing() {
        closing.set(true);
    }

    /** Looks at everything. Waits for the database for a bounded time, for the nodes not at all. */
    public Report check() {
        List<Node> nodes = locks.nodeStatuses().stream().map(Node::of).toList();
        long voting = nodes.stream().filter(Node::votes).count();
        boolean quorum = voting > nodes.size() / 2;
        boolean database = answers();
        Status status = !quorum || !database ? Status.DOWN : voting < nodes.size() ? Status.DEGRADED : Status.UP;
        return new Report(status, quorum && database && !closing.get(), database, quorum, nodes);
    }

    private boolean answers() {
        try (Connection connection = dataSource.getConnection()) {
            return connection.isValid(DATABASE_TIMEOUT_SECONDS);
        } catch (SQLException away) {
            return false;
        }
    }

    /** How well it goes. */
    public enum Status {
        /** All is well. */
        UP,
        /** Requests are answered, but the next failure of a node may change that. */
        DEGRADED,
        /** Nothing can be written. */
        DOWN
    }

    /**
     * What was found.
     *
     * @param ready whether requests should be sent here
     * @param database whether the database answers
     * @param quorum whether enough nodes vote to acquire a lock
     */
    public record Report(Status status, boolean ready, boolean database, boolean quorum, List<Node> nodes) {}

    /**
     * One lock node.
     *
     * @param votes whether it takes part in acquisitions now
     * @param quarantineMillis how long it will not, since it was restarted
     * @param lastFailure the last one, also if it is over; empty if there was none
     */
    public record Node(
            String node,
            boolean up,
            boolean votes,
            long quarantineMillis,
            double latencyMillis,
            long clockAheadMillis,
            String version,
            String lastFailure) {

        static Node of(NodeStatus status) {
            long quarantine = status.quarantinedFor().toMillis();
            return new Node(
                    status.node(),
                    status.up(),
                    status.up() && quarantine == 0,
                    quarantine,
                    status.latency().toNanos() / 1e6,
                    status.clockAhead().toMillis(),
                    status.version(),
                    status.lastFailure().map(Object::toString).orElse(""));
        }
    }
}
