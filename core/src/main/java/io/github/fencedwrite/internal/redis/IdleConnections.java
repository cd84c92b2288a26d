package io.github.fencedwrite.internal.redis;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;

/** The connections of a node that nobody has taken, the latest used first. Safe for use by many threads. */
final class IdleConnections {

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<NodeConnection> connections = new ArrayDeque<>();
    private boolean shut;

    /** Takes one that is open, or null. */
    @Nullable NodeConnection take() {
        lock.lock();
        try {
            NodeConnection first = connections.pollFirst();
            while (first != null && first.isClosed()) {
                first = connections.pollFirst();
            }
            return first;
        } finally {
            lock.unlock();
        }
    }

    /** One of them, without taking it, or null. */
    @Nullable NodeConnection peek() {
        lock.lock();
        try {
            return connections.peekFirst();
        } finally {
            lock.unlock();
        }
    }

    /** Adds one unless it is closed; false if this is shut. */
    boolean add(NodeConnection connection) {
        lock.lock();
        try {
            if (!shut && !connection.isClosed()) {
                connections.addFirst(connection);
            }
            return !shut;
        } finally {
            lock.unlock();
        }
    }

    void remove(NodeConnection connection) {
        lock.lock();
        try {
            connections.remove(connection);
        } finally {
            lock.unlock();
        }
    }

    /** All of them, without taking any. */
    List<NodeConnection> all() {
        lock.lock();
        try {
            return new ArrayList<>(connections);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Asks those for a sign of life that were not used lately, so that neither the server nor anything between closes them
     * unnoticed, and the difference of the clocks stays known.
     *
     * @param errands sent over one of them
     */
    void beat(long idleNanos, List<CommandArguments> errands) {
        long now = System.nanoTime();
        boolean sent = false;
        for (NodeConnection connection : all()) {
            if (!sent) {
                sent = errands.stream().allMatch(connection::send);
            }
            if (now - connection.lastUse() > idleNanos) {
                connection.send(new CommandArguments(Protocol.Command.TIME));
            }
        }
    }

    /** Reads what lies unread; true if something still does. */
    boolean sweep() {
        boolean left = false;
        for (NodeConnection connection : all()) {
            if (connection.unreadCount() > 0) {
                connection.read(null, TimeUnit.MILLISECONDS.toNanos(1));
                left |= connection.unreadCount() > 0;
            }
        }
        return left;
    }

    /** Takes all. */
    List<NodeConnection> takeAll() {
        lock.lock();
        try {
            List<NodeConnection> all = new ArrayList<>(connections);
            connections.clear();
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** Takes all, and lets none in any more. */
    List<NodeConnection> shut() {
        lock.lock();
        try {
            shut = true;
            return takeAll();
        } finally {
            lock.unlock();
        }
    }
}
