package io.github.fencedwrite.examples.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A TCP proxy on loopback that delays, holds back, refuses and cuts what goes through it, and that loses chosen commands
 * and replies of Redis. Everything can be switched while connections are in use. Thread safe.
 *
 * <p>All proxies of a JVM share two daemon threads, which end when the last proxy is closed. A delay is kept to about a
 * tenth of a millisecond and does not limit the throughput: any amount of data may be on its way.
 */
public final class Proxy implements AutoCloseable {

    private static final byte[] ADDRESS = {127, 0, 0, 1};
    private static final String HOST = "127.0.0.1";
    private static final int PORTS_TO_TRY = 10;

    final AtomicLong bytesToServer = new AtomicLong();
    final AtomicLong bytesToClient = new AtomicLong();
    final ProxyFaults faults = new ProxyFaults();
    final boolean knowsRedis;
    volatile long nanosToServer;
    volatile long nanosToClient;

    private volatile SocketAddress target;
    private final ProxyLoop loop = ProxyLoop.join();
    private final ReentrantLock lock = loop.lock();
    private final Set<ProxyLink> links = new HashSet<>();
    private @Nullable ServerSocketChannel listener;
    private int port;
    private long connections;
    private boolean holdsCommands;
    private boolean holdsReplies;
    private boolean isClosed;

    private Proxy(String host, int port, boolean knowsRedis) {
        this.target = new InetSocketAddress(host, port);
        this.knowsRedis = knowsRedis;
        lock.lock();
        try {
            listenOnNewPort();
        } catch (RuntimeException e) {
            ProxyLoop.leave();
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Opens a proxy in front of a Redis node; it understands commands and replies. The node may be restarted meanwhile.
     *
     * @param node the node
     * @return the proxy, to be closed by the caller
     */
    public static Proxy to(RedisNode node) {
        return new Proxy(node.host(), node.port(), true);
    }

    /**
     * Opens a proxy in front of the server of a database. Clients set its host and port on
     * {@link PostgresDatabase#dataSource()}.
     *
     * @param database the database
     * @return the proxy, to be closed by the caller
     */
    public static Proxy to(PostgresDatabase database) {
        PGSimpleDataSource address = database.dataSource();
        return to(address.getServerNames()[0], address.getPortNumbers()[0]);
    }

    /**
     * Opens a proxy that passes bytes without understanding them.
     *
     * @param host the server's host
     * @param port the server's port
     * @return the proxy, to be closed by the caller
     */
    public static Proxy to(String host, int port) {
        return new Proxy(host, port, false);
    }

    /**
     * Returns the host on which the proxy listens.
     *
     * @return loopback
     */
    public String host() {
        return HOST;
    }

    /**
     * Returns the port on which the proxy listens, the same over {@link #refuse()} and {@link #open()}.
     *
     * @return 1 to 65535
     */
    public int port() {
        return port;
    }

    /**
     * Returns the address for clients of Redis.
     *
     * @return {@code redis://host:port}
     */
    public String uri() {
        return "redis://" + HOST + ":" + port;
    }

    /**
     * Delays all that arrives from now on, by the same time in each direction. A round trip takes twice as long.
     *
     * @param oneWay zero or more
     * @throws IllegalArgumentException if the delay is negative
     */
    public void delay(Duration oneWay) {
        delay(oneWay, oneWay);
    }

    /**
     * Delays all that arrives from now on. The order within a direction of a connection is always kept.
     *
     * @param toServer the way from client to server, zero or more
     * @param toClient the way from server to client, zero or more
     * @throws IllegalArgumentException if a delay is negative
     */
    public void delay(Duration toServer, Duration toClient) {
        if (toServer.isNegative() || toClient.isNegative()) {
            throw new IllegalArgumentException("A delay is zero or more, not " + toServer + " and " + toClient);
        }
        nanosToServer = toServer.toNanos();
        nanosToClient = toClient.toNanos();
    }

    /** Leads new connections to another server, as after a failover. Those that exist stay as they are; see {@link #cut}. */
    public void switchTo(String host, int newPort) {
        target = new InetSocketAddress(host, newPort);
    }

    /** Refuses new connections. Those that exist stay as they are; see {@link #cut}. */
    public void refuse() {
        locked(this::stopListening);
        loop.awaitClosed();
    }

    /**
     * Holds back what goes in either direction on existing and new connections, which are still accepted: the server seems
     * mute. Nothing is lost, {@link #open()} lets it through; {@link #cut} loses it.
     */
    public void mute() {
        locked(() -> hold(true, true));
    }

    /** Lets commands through, so that they are executed, and holds back replies until {@link #open()} or {@link #cut}. */
    public void muteReplies() {
        locked(() -> hold(false, true));
    }

    /** Accepts connections again and lets through what was held back. Delays and faults stay as they are. */
    public void open() {
        locked(() -> {
            if (listener == null && !isClosed) {
                listenAgain();
            }
            hold(false, false);
        });
    }

    /**
     * Ends all existing connections at once; what is on its way is lost. New ones are accepted as before.
     *
     * @param how in order or abruptly
     */
    public void cut(Cut how) {
        locked(() -> List.copyOf(links).forEach(link -> link.close(how)));
        loop.awaitClosed();
    }

    /**
     * Lets one command fail, once; replaces an earlier order of this kind that has not happened yet.
     *
     * @param k which, 1 is the next that begins on any connection
     * @param fault what happens to it
     * @throws IllegalArgumentException if {@code k} is below 1
     * @throws IllegalStateException if this is no proxy of a Redis node
     */
    public void failCommand(int k, CommandFault fault) {
        requireRedis(k);
        locked(() -> faults.failCommand(k, fault));
    }

    /**
     * Lets one reply fail, once; replaces an earlier order of this kind that has not happened yet. Push messages of RESP3
     * are not counted, messages to subscribers in RESP2 are.
     *
     * @param k which, 1 is the next that begins on any connection
     * @param fault what happens to it
     * @throws IllegalArgumentException if {@code k} is below 1
     * @throws IllegalStateException if this is no proxy of a Redis node
     */
    public void failReply(int k, ReplyFault fault) {
        requireRedis(k);
        locked(() -> faults.failReply(k, fault));
    }

    /**
     * Lets the next command that looks as wanted fail, once; replaces an earlier order of this kind that has not happened
     * yet.
     *
     * @param which tells a command by its words; must be quick, all proxies wait for it
     * @param fault what happens to it
     * @throws IllegalStateException if this is no proxy of a Redis node
     */
    public void failCommand(Predicate<List<String>> which, CommandFault fault) {
        requireRedis(1);
        locked(() -> faults.failCommand(which, fault));
    }

    /**
     * Lets the reply to the next command that looks as wanted fail, once; replaces an earlier order of this kind that has
     * not happened yet. Connections that subscribe are not understood.
     *
     * @param which tells a command by its words; must be quick, all proxies wait for it
     * @param fault what happens to the reply
     * @throws IllegalStateException if this is no proxy of a Redis node
     */
    public void failReply(Predicate<List<String>> which, ReplyFault fault) {
        requireRedis(1);
        locked(() -> faults.failReply(which, fault));
    }

    /**
     * Shows each command that is complete, before it goes on to the node; replaces an earlier watcher.
     *
     * @param watcher called one at a time, in order for each connection; all proxies wait for it
     * @throws IllegalStateException if this is no proxy of a Redis node
     */
    public void watch(Consumer<ProxyCommand> watcher) {
        requireRedis(1);
        locked(() -> faults.watch(watcher));
    }

    /** Takes back orders of {@code failCommand} and {@code failReply} that have not happened yet. */
    public void clearFaults() {
        locked(faults::clear);
    }

    /**
     * Returns what went through so far.
     *
     * @return a snapshot
     */
    public ProxyCounters counters() {
        lock.lock();
        try {
            return new ProxyCounters(
                    connections,
                    links.size(),
                    bytesToServer.get(),
                    bytesToClient.get(),
                    faults.commands(),
                    faults.replies(),
                    faults.happened());
        } finally {
            lock.unlock();
        }
    }

    /** Ends all connections, refuses new ones and lets the port go. Idempotent. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (isClosed) {
                return;
            }
            isClosed = true;
            stopListening();
            List.copyOf(links).forEach(link -> link.close(Cut.CLOSE));
        } finally {
            lock.unlock();
        }
        loop.awaitClosed();
        Ports.giveBack(port);
        ProxyLoop.leave();
    }

    void ended(ProxyLink link) {
        links.remove(link);
    }

    private void hold(boolean commands, boolean replies) {
        holdsCommands = commands;
        holdsReplies = replies;
        List.copyOf(links).forEach(this::applyHold);
    }

    private void applyHold(ProxyLink link) {
        link.toServer().hold(holdsCommands);
        link.toClient().hold(holdsReplies);
        loop.flush(link.toServer());
        loop.flush(link.toClient());
    }

    private void accept(ServerSocketChannel from) throws IOException {
        SocketChannel client = from.accept();
        if (client != null) {
            connections++;
            ProxyLink link = new ProxyLink(this, loop, client, target, connections);
            if (link.isOpen()) {
                links.add(link);
                applyHold(link);
            }
        }
    }

    private void listenOnNewPort() {
        for (int i = 1; ; i++) {
            port = Ports.take();
            try {
                listen();
                return;
            } catch (IOException e) {
                Ports.giveBack(port);
                if (i == PORTS_TO_TRY) {
                    throw new ServersException("No port for a proxy: " + e.getMessage(), e);
                }
            }
        }
    }

    private void listenAgain() {
        try {
            listen();
        } catch (IOException e) {
            throw new ServersException("The proxy cannot listen on its port " + port + " again: " + e.getMessage(), e);
        }
    }

    private void listen() throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.bind(new InetSocketAddress(InetAddress.getByAddress(ADDRESS), port), 512);
            loop.register(channel, SelectionKey.OP_ACCEPT, key -> accept(channel));
            listener = channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private void stopListening() {
        if (listener != null) {
            try {
                listener.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            listener = null;
        }
    }

    private void requireRedis(int k) {
        if (k < 1) {
            throw new IllegalArgumentException("k is 1 or more, not " + k);
        }
        if (!knowsRedis) {
            throw new IllegalStateException("This proxy knows no commands: open it with Proxy.to(RedisNode)");
        }
    }

    private void locked(Runnable change) {
        lock.lock();
        try {
            change.run();
        } finally {
            lock.unlock();
        }
    }
}
