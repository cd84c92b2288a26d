package io.github.fencedwrite.internal.redis;

import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.NodeFailure.Reason;
import io.github.fencedwrite.NodeStatus;
import io.github.fencedwrite.internal.protocol.Command;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node: its idle connections and whether it is worth asking. A node that failed is down, which costs callers nothing:
 * it is a no-vote at once, with the last reason, until one background probe has reached it again. Safe for use by many
 * threads.
 */
public final class Node {

    private static final Logger log = LoggerFactory.getLogger(Node.class);
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(25);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(5);

    private final int index;
    private final NodeAddress address;
    private final NodeSettings settings;
    private final Encoding encoding;
    private final Background background;
    private final Quarantine quarantine;
    private final Duties duties;
    private final PendingTasks whenUp = new PendingTasks();

    private final ReentrantLock lock = new ReentrantLock();
    private final IdleConnections idle = new IdleConnections();
    private @Nullable NodeFailure down = new NodeFailure(Reason.NOT_CONNECTED, "not connected yet");
    private @Nullable NodeFailure lastFailure;
    private boolean probing;
    private int failedProbes;
    private boolean shut;

    private final CountDownLatch firstProbe = new CountDownLatch(1);
    private volatile InetAddress[] hosts = {};

    private volatile @Nullable ServerInfo server;
    private volatile @Nullable String objection;
    private volatile long latencyNanos;
    private final NodeClock clock = new NodeClock();

    public Node(int index, NodeAddress address, NodeSettings settings, Background background) {
        this.index = index;
        this.address = address;
        this.settings = settings;
        this.encoding = new Encoding(settings.retentionMillis());
        this.background = background;
        this.quarantine = new Quarantine(settings.quarantineMillis());
        this.duties = new Duties(this);
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

    /** Why the node does not vote although it can be reached, or null if it does. */
    public @Nullable NodeFailure quarantined() {
        return quarantine.check();
    }

    /**
     * A connection that nobody else takes as long as this caller has it: an idle one, or a new one if the node is not down.
     *
     * @return the connection, or null; then {@link #failure()} tells why
     */
    public @Nullable NodeConnection take() {
        NodeConnection ready = idle.take();
        if (ready != null) {
            return ready;
        }
        lock.lock();
        try {
            if (shut || down != null) {
                return null;
            }
        } finally {
            lock.unlock();
        }
        return open();
    }

    /** Any connection that is idle now, without taking it, for a command that nobody waits for. */
    public @Nullable NodeConnection borrow() {
        return idle.peek();
    }

    /** Gives a connection back, with whatever replies are unread on it. */
    public void giveBack(NodeConnection connection) {
        if (!idle.add(connection)) {
            connection.closeGently();
        }
    }

    /** Why there is no connection. */
    public NodeFailure failure() {
        lock.lock();
        try {
            if (down != null) {
                return down;
            }
            return shut
                    ? new NodeFailure(Reason.NOT_CONNECTED, "the client is closed")
                    : new NodeFailure(Reason.NOT_CONNECTED, "no connection is ready");
        } finally {
            lock.unlock();
        }
    }

    /** Starts to connect in the background. */
    public void connect() {
        lock.lock();
        try {
            if (!probing) {
                probing = true;
                background.connectAfter(0, this::probe);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the first try to connect has succeeded or failed, at most until {@code deadline}. */
    public void awaitFirstProbe(long deadline) throws InterruptedException {
        boolean ended = firstProbe.await(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        if (!ended) {
            log.warn("Node {} is not connected yet", name());
        }
    }

    /** Whether there is reason to think that the node answers. */
    public boolean isUp() {
        lock.lock();
        try {
            return down == null;
        } finally {
            lock.unlock();
        }
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
        boolean up;
        NodeFailure failure;
        lock.lock();
        try {
            up = down == null;
            failure = down == null ? lastFailure : down;
        } finally {
            lock.unlock();
        }
        return new NodeStatus(
                name(),
                up,
                Optional.ofNullable(failure),
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
        String found = server.membership();
        objection = found == null ? null : settings.membership().objection(name(), found);
        clock.read(server.clockAheadMicros());
        measured(server.roundTripNanos());
    }

    /** The only housekeeping that answers with a list is the question for the time. */
    void housekeepingAnswered(@Nullable Object reply, long askedAt) {
        if (reply instanceof List<?>) {
            clock.read(ServerInfo.micros(reply), askedAt);
        }
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
        lock.lock();
        try {
            if (down == null) {
                background.runAfter(FIRST_PAUSE, task);
            } else {
                whenUp.put(keys, task);
            }
        } finally {
            lock.unlock();
        }
    }

    void connectionClosed(NodeConnection connection, NodeFailure failure, boolean nodeFailed) {
        idle.remove(connection);
        if (nodeFailed) {
            failed(failure);
        }
    }

    /** The node as such failed: its idle connections are no better than the one that showed it. */
    private void failed(NodeFailure failure) {
        List<NodeConnection> dropped;
        lock.lock();
        try {
            if (shut) {
                return;
            }
            if (down == null) {
                log.warn("Node {} is down: {}", name(), failure);
            }
            down = failure;
            dropped = idle.takeAll();
            if (!probing) {
                probing = true;
                background.connectAfter(pause(), this::probe);
            }
        } finally {
            lock.unlock();
        }
        if (!dropped.isEmpty()) {
            background.run(() -> dropped.forEach(connection -> connection.close(failure, false, false)));
        }
    }

    private long pause() {
        long pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(failedProbes, 10));
        return failedProbes == 0 ? 0 : pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2 + 1);
    }

    private void probe() {
        try {
            InetAddress[] found = InetAddress.getAllByName(address.host());
            NodeConnection connection = NodeConnection.open(this, found);
            hosts = found;
            opened(connection.server());
            wentUp();
            giveBack(connection);
            duties.nodeIsUp();
            whenUp.takeAll().forEach(Runnable::run);
        } catch (UnknownHostException | RuntimeException e) {
            stillDown(Replies.failure(e));
        } finally {
            firstProbe.countDown();
        }
    }

    private void wentUp() {
        lock.lock();
        try {
            if (failedProbes > 0 || firstProbe.getCount() == 0) {
                log.info("Node {} is up again after {}", name(), down);
                lastFailure = down;
            }
            down = null;
            probing = false;
            failedProbes = 0;
        } finally {
            lock.unlock();
        }
    }

    private void stillDown(NodeFailure failure) {
        lock.lock();
        try {
            if (firstProbe.getCount() > 0) {
                log.warn("Node {} is down: {}", name(), failure);
            }
            down = failure;
            failedProbes++;
            if (!shut) {
                background.connectAfter(pause(), this::probe);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Looks after idle connections: see {@link IdleConnections#beat}. */
    void beat(long idleNanos, boolean renewMembership) {
        idle.beat(idleNanos, renewMembership ? settings.renewMembership() : null);
    }

    /** Reads what lies unread on idle connections; true if something still does. */
    boolean sweep() {
        return idle.sweep();
    }

    /** Closes all connections; those in use are closed when they are given back. */
    public void shut() {
        lock.lock();
        try {
            shut = true;
        } finally {
            lock.unlock();
        }
        idle.shut().forEach(NodeConnection::closeGently);
    }
}
