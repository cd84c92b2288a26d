package io.github.fencedwrite.internal.redis;

import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.NodeFailure.Reason;
import io.github.fencedwrite.NodeStatus;
import io.github.fencedwrite.internal.protocol.Command;
import io.github.fencedwrite.internal.protocol.OwnerId;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;

/**
 * One node: its idle connections and whether it is worth asking. A node that failed is down, which costs callers nothing:
 * it is a no-vote at once, with the last reason, until one background probe has reached it again. Safe for use by many
 * threads.
 */
public final class Node {

    private static final Logger log = LoggerFactory.getLogger(Node.class);
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(25);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(5);
    private static final int MOST_TASKS = 2_000;

    private final int index;
    private final NodeAddress address;
    private final NodeSettings settings;
    private final Encoding encoding;
    private final Background background;
    private final Quarantine quarantine;
    private final Duties duties;

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<NodeConnection> idle = new ArrayDeque<>();
    private @Nullable NodeFailure down = new NodeFailure(Reason.NOT_CONNECTED, "not connected yet");
    private final Map<ResourceKeys, Runnable> whenUp = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ResourceKeys, Runnable> eldest) {
            return size() > MOST_TASKS;
        }
    };
    private @Nullable NodeFailure lastFailure;
    private boolean probing;
    private int failedProbes;
    private boolean shut;

    private final CountDownLatch firstProbe = new CountDownLatch(1);
    private volatile InetAddress[] hosts = {};

    private volatile @Nullable ServerInfo server;
    private volatile @Nullable String objection;
    private volatile long latencyNanos;
    private volatile long clockAheadMicros;
    private volatile long clockReadAt;
    private volatile boolean clockKnown;

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
        lock.lock();
        try {
            if (shut) {
                return null;
            }
            for (NodeConnection ready = idle.pollFirst(); ready != null; ready = idle.pollFirst()) {
                if (!ready.isClosed()) {
                    return ready;
                }
            }
            if (down != null) {
                return null;
            }
        } finally {
            lock.unlock();
        }
        return open();
    }

    /** Any connection that is idle now, without taking it, for a command that nobody waits for. */
    public @Nullable NodeConnection borrow() {
        lock.lock();
        try {
            return idle.peekFirst();
        } finally {
            lock.unlock();
        }
    }

    /** Gives a connection back, with whatever replies are unread on it. */
    public void giveBack(NodeConnection connection) {
        boolean late;
        lock.lock();
        try {
            late = shut;
            if (!late && !connection.isClosed()) {
                idle.addFirst(connection);
            }
        } finally {
            lock.unlock();
        }
        if (late) {
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
        Wire wire = Wire.connect(address, hosts, settings.timeoutNanos());
        try {
            ServerInfo known = ServerInfo.ask(wire, settings, System.nanoTime() + settings.timeoutNanos());
            ResourceKeys keys = new ResourceKeys(prefix, "preflight-" + UUID.randomUUID());
            OwnerId owner = new OwnerId(UUID.randomUUID().toString().replace("-", ""));
            return Inspection.of(wire, this, keys, owner, known.runId().getBytes(StandardCharsets.US_ASCII));
        } finally {
            wire.closeGently();
        }
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
        Wire wire = Wire.connect(address, hosts, settings.timeoutNanos());
        try {
            wire.write(new CommandArguments(Protocol.Command.TIME));
            var unused = ServerInfo.micros(wire.read(System.nanoTime() + settings.timeoutNanos()));
            return new Subscription(wire, settings.timeoutNanos());
        } catch (RuntimeException e) {
            wire.abort();
            throw e;
        }
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
        clockRead(server.clockAheadMicros());
        measured(server.roundTripNanos());
    }

    private void clockRead(long aheadMicros) {
        clockAheadMicros = aheadMicros;
        clockReadAt = Clocks.wallMicros() - TimeUnit.NANOSECONDS.toMicros(System.nanoTime());
        clockKnown = true;
    }

    /** The only housekeeping that answers with a list is the question for the time. */
    void housekeepingAnswered(@Nullable Object reply, long askedAt) {
        if (reply instanceof List<?>) {
            long half = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - askedAt) / 2;
            clockRead(ServerInfo.micros(reply) + half - Clocks.wallMicros());
        }
    }

    /**
     * How far the node's wall clock is ahead of this client's now, in microseconds; a jump of the client's clock since the
     * node was asked is taken into account. Zero if the node was never asked.
     */
    public long clockAheadMicros() {
        if (!clockKnown) {
            return 0;
        }
        long jumped = Clocks.wallMicros() - TimeUnit.NANOSECONDS.toMicros(System.nanoTime()) - clockReadAt;
        return clockAheadMicros - jumped;
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
        lock.lock();
        try {
            idle.remove(connection);
        } finally {
            lock.unlock();
        }
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
            dropped = new ArrayList<>(idle);
            idle.clear();
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
            tasksForUp().forEach(Runnable::run);
        } catch (UnknownHostException | RuntimeException e) {
            stillDown(Replies.failure(e));
        } finally {
            firstProbe.countDown();
        }
    }

    private List<Runnable> tasksForUp() {
        lock.lock();
        try {
            List<Runnable> tasks = new ArrayList<>(whenUp.values());
            whenUp.clear();
            return tasks;
        } finally {
            lock.unlock();
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

    private List<NodeConnection> idleOnes() {
        lock.lock();
        try {
            return new ArrayList<>(idle);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Asks those connections for a sign of life that were not used lately, so that neither the server nor anything between
     * closes them unnoticed, and the difference of the clocks stays known.
     */
    void beat(long idleNanos, boolean renewMembership) {
        long now = System.nanoTime();
        boolean renew = renewMembership;
        for (NodeConnection connection : idleOnes()) {
            if (renew) {
                renew = !connection.send(settings.renewMembership());
            }
            if (now - connection.lastUse() > idleNanos) {
                connection.send(new CommandArguments(Protocol.Command.TIME));
            }
        }
    }

    /** Reads what lies unread on idle connections; true if something still does. */
    boolean sweep() {
        boolean left = false;
        for (NodeConnection connection : idleOnes()) {
            if (connection.unreadCount() > 0) {
                connection.read(null, TimeUnit.MILLISECONDS.toNanos(1));
                left |= connection.unreadCount() > 0;
            }
        }
        return left;
    }

    /** Closes all connections; those in use are closed when they are given back. */
    public void shut() {
        List<NodeConnection> connections;
        lock.lock();
        try {
            shut = true;
            connections = new ArrayList<>(idle);
            idle.clear();
        } finally {
            lock.unlock();
        }
        connections.forEach(NodeConnection::closeGently);
    }
}
