package io.github.fencedwrite.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.NodeFailure.Reason;
import io.github.fencedwrite.NodeStatus;
import io.github.fencedwrite.internal.loop.Loop;
import io.github.fencedwrite.internal.loop.Waiter;
import io.github.fencedwrite.internal.protocol.Command;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * One node: its connection, what it said of itself when that was opened, and what it is owed. A node without a connection
 * costs callers nothing: it is a no-vote at once, with the reason that {@link #failure} tells.
 *
 * <p>Methods that a step of the loop calls say so; the others may be called by many threads.
 */
public final class Node implements Loop.Part {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_BEAT = 10 * SECOND;
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    private final int index;
    private final NodeAddress address;
    private final NodeSettings settings;
    private final Encoding encoding;
    private final Loop loop;
    private final NodeRegistry registry;
    private final Quarantine quarantine;
    private final Connector connector;
    private final Owed owed;
    private final NodeClock clock = new NodeClock();
    private final Set<String> channels = new HashSet<>();
    private Consumer<byte[]> listener = channel -> {};
    private Runnable whenChanged = () -> {};
    private byte[] runId = {};
    private long renewedAt;
    /** Whether it has the membership entry; null as long as it never told. */
    private @Nullable Boolean knowsUs;

    private boolean lookingAgain;

    private volatile @Nullable ServerInfo server;
    private volatile @Nullable String objection;
    private volatile long latencyNanos;

    /** The nodes of a client, in the order of the configuration. */
    public static List<Node> all(List<NodeAddress> addresses, NodeSettings settings, Loop loop) {
        List<Node> all = new ArrayList<>();
        NodeRegistry registry = new NodeRegistry(all, settings);
        for (NodeAddress address : addresses) {
            all.add(new Node(all.size(), address, settings, loop, registry));
        }
        return List.copyOf(all);
    }

    private Node(int index, NodeAddress address, NodeSettings settings, Loop loop, NodeRegistry registry) {
        this.registry = registry;
        this.index = index;
        this.address = address;
        this.settings = settings;
        this.encoding = new Encoding(settings.retentionMillis());
        this.loop = loop;
        this.quarantine = new Quarantine(settings.quarantineMillis(), loop::now);
        this.renewedAt = loop.now();
        this.connector = new Connector(this, loop);
        this.owed = new Owed(this, loop);
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

    long now() {
        return loop.now();
    }

    /** Why no client of this configuration may use the node, or null. */
    public @Nullable String objection() {
        return objection;
    }

    /** What the server said of itself when the connection was last opened, null if it never was. */
    public @Nullable ServerInfo server() {
        return server;
    }

    void measured(long nanos) {
        long before = latencyNanos;
        latencyNanos = before == 0 ? nanos : before + (nanos - before) / 8;
    }

    /** Starts to connect, and to look after the connection. */
    public void connect() {
        loop.add(this);
        loop.submit(() -> {
            connector.reach();
            beatLater();
        });
    }

    /** Waits until the first try to connect has succeeded or failed, at most until {@code deadline}. */
    public void awaitFirstTry(long deadline) throws InterruptedException {
        connector.awaitFirstTry(deadline);
    }

    /** Whether there is a connection. */
    public boolean isUp() {
        return connector.down() == null;
    }

    /** Why there is no connection; if there is one, why a command could not be sent all the same. */
    public NodeFailure failure() {
        NodeFailure down = connector.down();
        return down == null ? new NodeFailure(Reason.POOL_EXHAUSTED, "too much waits to be sent to it") : down;
    }

    /** Why the node does not vote although it can be reached, or null if it does. In a step. */
    public @Nullable NodeFailure quarantined() {
        return quarantine.check();
    }

    /** Whether commands can be sent. In a step. */
    public boolean isReady() {
        return connector.usable() != null;
    }

    /**
     * Sends a command behind all others. In a step.
     *
     * @return false if there is no connection or too much waits to be sent, so that no answer will come
     */
    public boolean send(ReplyHandler sender, Command command, ResourceKeys keys) {
        NodeConnection connection = connector.usable();
        return connection != null && connection.send(new Request.ScriptCall(this, sender, command, keys, runId));
    }

    /** As {@link #send}, but before all that was not written yet; together with others in one command. In a step. */
    public boolean sendFirst(ReplyHandler sender, Command.Extend command, ResourceKeys keys) {
        NodeConnection connection = connector.usable();
        if (connection == null) {
            return false;
        }
        connection.sendFirst(new Request.ScriptCall(this, sender, command, keys, runId));
        return true;
    }

    /**
     * Sends a command and waits for the reply; not in a step.
     *
     * @return the reply, an error as an exception, or null
     * @throws JedisConnectionException if there is none within the node's timeout
     */
    @Nullable Object ask(CommandArguments question) {
        Waiter<Optional<Object>> waiter = new Waiter<>(loop);
        loop.submit(() -> {
            NodeConnection connection = connector.usable();
            boolean sent = connection != null
                    && connection.send(new Request.Question(question, (asked, reply, failure) -> {
                        Object result = failure == null ? reply : new JedisConnectionException(failure.toString());
                        waiter.settle(Optional.ofNullable(result));
                    }));
            if (!sent) {
                waiter.settle(Optional.of(new JedisConnectionException(failure().toString())));
            }
        });
        loop.await(waiter, loop.now() + 2 * settings.timeoutNanos(), false);
        Optional<Object> result = waiter.result();
        if (result == null) {
            throw new JedisConnectionException("no answer in time");
        } else if (result.orElse(null) instanceof JedisConnectionException broken) {
            throw broken;
        }
        return result.orElse(null);
    }

    /**
     * Takes a closer look.
     *
     * @throws RuntimeException if that breaks
     */
    public Inspection inspect(String prefix) {
        return Inspection.of(this, prefix);
    }

    /** How the node looks now. */
    public NodeStatus status() {
        ServerInfo known = server;
        return new NodeStatus(
                name(),
                isUp(),
                Optional.ofNullable(connector.lastFailure()),
                Duration.ofNanos(known == null ? 0 : latencyNanos),
                Duration.ofNanos(quarantine.remainingNanos()),
                known == null ? "" : known.runId(),
                known == null ? "" : known.version(),
                Duration.of(clockAheadMicros(), ChronoUnit.MICROS));
    }

    /**
     * How far the node's wall clock is ahead of this client's now, in microseconds; a jump of the client's clock since the
     * node was asked is taken into account. Zero if the node was never asked.
     */
    public long clockAheadMicros() {
        return clock.aheadMicros();
    }

    /** Repeats an owner-checked release until it is confirmed; see {@link Owed}. In a step. */
    public void oweRelease(ResourceKeys keys, Command.Release release, long ttlMillis, boolean straying) {
        owed.release(keys, release, ttlMillis, straying);
    }

    /** Runs {@code task} once when the node can be told of a token; see {@link Owed}. In a step. */
    public void oweToken(ResourceKeys keys, Runnable task) {
        owed.token(keys, task);
    }

    /**
     * The node refused to be told of a token. In a step.
     *
     * @return whether that may pass, so that it is worth trying again
     */
    public boolean refused(NodeFailure failure) {
        owed.refused(failure.reason());
        return Owed.mayPass(failure.reason());
    }

    /** Who is told of messages on channels, and when there is a connection, or none any more. Before the first use. */
    public void listen(Consumer<byte[]> toMessages, Runnable toChanges) {
        loop.submit(() -> {
            listener = toMessages;
            whenChanged = toChanges;
        });
    }

    /** Whether it can be listened to now. In a step. */
    public boolean canListen() {
        return connector.hearsMessages();
    }

    /** Begins to listen to a channel, for as long as the connection lives. In a step. */
    public void subscribe(byte[] channel) {
        NodeConnection connection = connector.usable();
        if (connection != null && channels.add(new String(channel, UTF_8))) {
            connection.send(new Request.Listening(new CommandArguments(Protocol.Command.SUBSCRIBE).add(channel)));
        }
    }

    /** Ends to listen to a channel. In a step. */
    public void unsubscribe(byte[] channel) {
        NodeConnection connection = connector.usable();
        if (channels.remove(new String(channel, UTF_8)) && connection != null) {
            connection.send(new Request.Listening(new CommandArguments(Protocol.Command.UNSUBSCRIBE).add(channel)));
        }
    }

    void heard(byte[] channel) {
        listener.accept(channel);
    }

    Quarantine quarantine() {
        return quarantine;
    }

    @Nullable Boolean knowsUs() {
        return knowsUs;
    }

    /** A server has said who it is; {@code then} runs once the other nodes were asked whether that is the one they know. */
    void opened(ServerInfo opened, boolean toldMembership, Runnable then) {
        runId = opened.runId().getBytes(US_ASCII);
        quarantine.seen(opened);
        server = opened;
        clock.read(opened.clockAheadMicros());
        measured(opened.roundTripNanos());
        if (toldMembership) {
            found(opened.membership());
        }
        registry.compare(this, opened.runId(), then);
    }

    /** The connection can be used from now on. */
    void isUsable() {
        checkMembership(false);
        registry.look(this);
        owed.goOn();
        whenChanged.run();
    }

    /** The connection is gone. */
    void isUnusable() {
        channels.clear();
        whenChanged.run();
    }

    private void beatLater() {
        long half = TimeUnit.MILLISECONDS.toNanos(settings.quarantineMillis()) / 2;
        // a server that was replaced has to be found before its quarantine ends
        long beat = half == 0 ? LONGEST_BEAT : Math.min(Math.max(half, SECOND), LONGEST_BEAT);
        var unused = loop.deadlines().at(loop.now() + beat, this::beat);
    }

    private void beat() {
        if (loop.isClosed()) {
            return;
        }
        beatLater();
        boolean renew = loop.now() - renewedAt > HOUR;
        renewedAt = renew ? loop.now() : renewedAt;
        checkMembership(renew);
        registry.look(this);
        question(new CommandArguments(Protocol.Command.TIME), (asked, reply, failure) -> {
            if (failure == null && !(reply instanceof JedisDataException)) {
                clock.read(ServerInfo.micros(reply), loop.now() - asked.writtenAt);
            }
        });
    }

    private void checkMembership(boolean renew) {
        List<CommandArguments> questions = settings.checkMembership(renew);
        for (CommandArguments each : questions) {
            boolean last = each == questions.get(questions.size() - 1);
            question(each, (asked, reply, failure) -> {
                if (last && failure == null && !(reply instanceof JedisDataException)) {
                    found(reply instanceof byte[] membership ? new String(membership, UTF_8) : null);
                }
            });
        }
    }

    /** Asks; false if it cannot be asked now. */
    boolean question(CommandArguments command, Request.Question.Answered answered) {
        NodeConnection connection = connector.usable();
        return connection != null && connection.send(new Request.Question(command, answered));
    }

    /** Looks at the membership again after a while. */
    void lookAgainAfter(long nanos) {
        var unused = loop.deadlines().at(loop.now() + nanos, () -> checkMembership(false));
    }

    /** Leaves the server if the node's name no longer stands for it; runs {@code still} if it does. */
    void askNameAgain(Runnable still) {
        connector.askNameAgain(still);
    }

    /** Writes the membership entry unless it is there. */
    void writeMembership() {
        question(settings.writeMembership(), (asked, reply, failure) -> {});
        question(settings.readMembership(), (asked, reply, failure) -> {
            if (reply instanceof byte[] membership) {
                found(new String(membership, UTF_8));
            }
        });
    }

    private void found(@Nullable String membership) {
        Boolean before = knowsUs;
        knowsUs = membership != null;
        registry.membership(this, membership != null, before);
        objection = membership == null ? null : settings.membership().objection(name(), membership);
        if (objection != null && !lookingAgain) {
            // nobody gets a lock meanwhile: an operator who has corrected it shall not have to wait for the next beat
            lookingAgain = true;
            var unused = loop.deadlines().at(loop.now() + SECOND, () -> {
                lookingAgain = false;
                checkMembership(false);
            });
        }
    }

    @Override
    public void hear() {
        connector.hear();
    }

    @Override
    public void tend(long now) {
        connector.tend(now);
    }

    @Override
    public long nextLook(long latest) {
        return connector.nextLook(latest);
    }

    @Override
    public Loop.Demand demand() {
        NodeConnection connection = connector.usable();
        if (connector.isConnecting() || !channels.isEmpty()) {
            return Loop.Demand.NOW;
        }
        return connection != null && connection.isWaiting() ? Loop.Demand.SOME : Loop.Demand.NONE;
    }

    /** Closes the connection for good. In a step. */
    public void shut() {
        connector.shut();
    }
}
