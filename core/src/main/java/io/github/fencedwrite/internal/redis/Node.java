package io.github.fencedwrite.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.NodeStatus;
import io.github.fencedwrite.internal.protocol.Command;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * One node: its connections, and what it said of itself when the latest of them was opened. A node that is down costs
 * callers nothing: it is a no-vote at once, with the reason that {@link NodeHealth} keeps. Safe for use by many threads.
 */
public final class Node {

    private final int index;
    private final NodeAddress address;
    private final NodeSettings settings;
    private final Encoding encoding;
    private final Background background;
    private final Quarantine quarantine;
    private final Duties duties;
    private final NodeHealth health;
    private final IdleConnections idle = new IdleConnections();
    private final NodeClock clock = new NodeClock();
    private final AtomicBoolean replenishing = new AtomicBoolean();
    private volatile InetAddress[] hosts = {};

    private volatile @Nullable ServerInfo server;
    private volatile @Nullable String objection;
    private volatile long latencyNanos;

    public Node(int index, NodeAddress address, NodeSettings settings, Background background) {
        this.index = index;
        this.address = address;
        this.settings = settings;
        this.encoding = new Encoding(settings.retentionMillis());
        this.background = background;
        this.quarantine = new Quarantine(settings.quarantineMillis());
        this.duties = new Duties(this);
        this.health = new NodeHealth(address.name(), background, this::reach);
    }

    /** Position in the configuration, from 0. */
    public int index() {
        return index;
    }

    /** Host and port, for people. */
    public String name() {
        return address.name();
    }

    NodeAddress address() {
        return address;
    }

    /** How long the node may take for one answer. */
    public long timeoutNanos() {
        return settings.timeoutNanos();
    }

    NodeSettings settings() {
        return settings;
    }

    Encoding encoding() {
        return encoding;
    }

    Background background() {
        return background;
    }

    /** Why no client of this configuration may use the node, or null. */
    public @Nullable String objection() {
        return objection;
    }

    /** What the server said of itself when a connection was last opened, null if none ever was. */
    public @Nullable ServerInfo server() {
        return server;
    }

    /** How long the node lately took to answer, in nanoseconds. */
    public long latencyNanos() {
        return latencyNanos;
    }

    void measured(long nanos) {
        long before = latencyNanos;
        latencyNanos = before == 0 ? nanos : before + (nanos - before) / 8;
    }

    @Nullable NodeFailure quarantined() {
        return quarantine.check();
    }

    /**
     * A connection that nobody else takes as long as this caller has it: an idle one, or a new one if the node is not down.
     *
     * @return the connection, or null; then {@link #failure()} tells why
     */
    public @Nullable NodeConnection take() {
        NodeConnection ready = idle.take();
        if (ready != null || !health.admits()) {
            return ready;
        }
        return open();
    }

    /**
     * Any connection that is idle now, without taking it, for a command that nobody waits for. If there is none although the
     * node is up, one is opened in the background, so that whoever asks again gets it: the interrupt of a virtual thread
     * closes the connection that it reads, and what is owed to the node must not wait for the next caller.
     */
    public @Nullable NodeConnection borrow() {
        NodeConnection ready = idle.peek();
        if (ready == null && health.admits() && replenishing.compareAndSet(false, true)) {
            background.connectAfter(0, this::replenish);
        }
        return ready;
    }

    private void replenish() {
        try {
            NodeConnection connection = take();
            if (connection != null) {
                giveBack(connection);
            }
        } finally {
            replenishing.set(false);
        }
    }

    /** Gives a connection back, with whatever replies are unread on it. */
    public void giveBack(NodeConnection connection) {
        if (!idle.add(connection)) {
            connection.closeGently();
        }
    }

    /** Why there is no connection. */
    public NodeFailure failure() {
        return health.failure();
    }

    /** Starts to connect in the background. */
    public void connect() {
        health.connect();
    }

    /** Waits until the first try to connect has succeeded or failed, at most until {@code deadline}. */
    public void awaitFirstProbe(long deadline) throws InterruptedException {
        health.awaitFirstProbe(deadline);
    }

    /** Whether there is reason to think that the node answers. */
    public boolean isUp() {
        return health.isUp();
    }

    /**
     * Takes a closer look, over a connection of its own.
     *
     * @throws RuntimeException if that breaks
     */
    public Inspection inspect(String prefix) {
        return Visits.inspect(this, hosts, prefix);
    }

    /** How the node looks now. */
    public NodeStatus status() {
        ServerInfo known = server;
        return new NodeStatus(
                name(),
                health.isUp(),
                Optional.ofNullable(health.lastFailure()),
                Duration.ofNanos(known == null ? 0 : latencyNanos),
                Duration.ofNanos(quarantine.remainingNanos()),
                known == null ? "" : known.runId(),
                known == null ? "" : known.version(),
                Duration.of(clockAheadMicros(), ChronoUnit.MICROS));
    }

    /**
     * Opens a connection that only listens.
     *
     * @throws RuntimeException if the node is down or does not let it
     */
    public Subscription subscribe() {
        if (!isUp()) {
            throw new IllegalStateException(failure().toString());
        }
        return Visits.subscribe(this, hosts);
    }

    private @Nullable NodeConnection open() {
        try {
            NodeConnection connection = NodeConnection.open(this, hosts);
            opened(connection.server());
            return connection;
        } catch (RuntimeException e) {
            failed(Replies.failure(e));
            return null;
        }
    }

    private void opened(ServerInfo server) {
        quarantine.seen(server);
        this.server = server;
        found(server.membership());
        clock.read(server.clockAheadMicros());
        measured(server.roundTripNanos());
    }

    void housekeepingAnswered(CommandArguments question, @Nullable Object reply, long askedAt) {
        if (reply instanceof List<?>) {
            try {
                clock.read(ServerInfo.micros(reply), askedAt);
            } catch (UnsupportedServerException e) {
                failed(Replies.failure(e));
            }
        } else if (question.getCommand() == Protocol.Command.GET && !(reply instanceof JedisDataException)) {
            found(reply instanceof byte[] membership ? new String(membership, UTF_8) : null);
        }
    }

    private void found(@Nullable String membership) {
        objection = membership == null ? null : settings.membership().objection(name(), membership);
    }

    /**
     * How far the node's wall clock is ahead of this client's now, in microseconds; a jump of the client's clock since the
     * node was asked is taken into account. Zero if the node was never asked.
     */
    public long clockAheadMicros() {
        return clock.aheadMicros();
    }

    /** Repeats an owner-checked release until no command of that owner can still take the lock there. */
    public void ensureReleased(ResourceKeys keys, Command.Release release, long ttlMillis) {
        duties.add(keys, release, ttlMillis);
    }

    /**
     * Runs {@code task} once when the node is up again. Of the tasks for one resource only the latest matters; of very many
     * resources the oldest are forgotten.
     */
    public void whenUp(ResourceKeys keys, Runnable task) {
        health.whenUp(keys, task);
    }

    void connectionClosed(NodeConnection connection, NodeFailure failure, boolean nodeFailed) {
        idle.remove(connection);
        if (nodeFailed) {
            failed(failure);
        }
    }

    /** The node as such failed: its idle connections are no better than the one that showed it. */
    private void failed(NodeFailure failure) {
        List<NodeConnection> dropped = idle.takeAll();
        health.failed(failure);
        if (!dropped.isEmpty()) {
            background.run(() -> dropped.forEach(connection -> connection.close(failure, false, false)));
        }
    }

    /** Tries to connect, to whatever addresses the host's name has by now. */
    private Runnable reach() throws UnknownHostException {
        InetAddress[] found = InetAddress.getAllByName(address.host());
        NodeConnection connection = NodeConnection.open(this, found);
        hosts = found;
        opened(connection.server());
        return () -> {
            giveBack(connection);
            duties.nodeIsUp();
        };
    }

    /** Looks after idle connections: see {@link IdleConnections#beat}. */
    void beat(long idleNanos, boolean renewMembership) {
        idle.beat(idleNanos, settings.checkMembership(renewMembership));
    }

    /** Reads what lies unread on idle connections; true if something still does. */
    boolean sweep() {
        return idle.sweep();
    }

    /** Closes all connections; those in use are closed when they are given back. */
    public void shut() {
        health.shut();
        idle.shut().forEach(NodeConnection::closeGently);
    }
}
