package io.github.fencedwrite.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.NodeFailure.Reason;
import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Command;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * A connection to a node together with the replies that nobody has read yet. Commands are answered in the order in which
 * they were written; whoever reads next hands each reply to the one who sent the command, so nobody has to wait for an
 * answer that no longer decides anything.
 *
 * <p>Any thread may write, behind what was written before. One thread at a time reads. A sender's lock may be held while
 * writing, never while reading, and answers are handed over while no lock of this class but the right to read is held: so
 * there is no cycle.
 *
 * <p>An answer that does not come in time, or a broken stream, closes the connection for good: what comes later could not
 * be told from the answer to another command.
 */
public final class NodeConnection {

    private final Node node;
    private final Wire wire;
    private final ServerInfo server;
    private final byte[] runId;
    private final ReentrantLock writing = new ReentrantLock();
    private final ReentrantLock reading = new ReentrantLock();
    private final ArrayDeque<Unread> unread = new ArrayDeque<>();
    private boolean gathering;
    private volatile boolean closed;
    private volatile long lastUse = System.nanoTime();

    NodeConnection(Node node, Wire wire, ServerInfo server) {
        this.node = node;
        this.wire = wire;
        this.server = server;
        this.runId = server.runId().getBytes(US_ASCII);
    }

    /** Connects, logs in and asks who is there, within the node's timeout. */
    static NodeConnection open(Node node, InetAddress[] hosts) {
        long timeout = node.settings().timeoutNanos();
        Wire wire = Wire.connect(node.address(), hosts, timeout);
        try {
            return new NodeConnection(node, wire, ServerInfo.ask(wire, node.settings(), System.nanoTime() + timeout));
        } catch (RuntimeException e) {
            wire.abort();
            throw e;
        }
    }

    ServerInfo server() {
        return server;
    }

    /**
     * Why the node does not vote although it can be reached, or null if it does. Asked of a connection, since a quarantine
     * begins when one is opened: whoever has this one cannot have asked too early.
     */
    public @Nullable NodeFailure quarantined() {
        return node.quarantined();
    }

    public boolean isClosed() {
        return closed;
    }

    long lastUse() {
        return lastUse;
    }

    /**
     * Writes a command behind all others.
     *
     * @return false if the connection was closed before, so that nothing was sent and no answer will come; true otherwise,
     *     even if writing broke the connection: then the answer is that failure
     */
    public boolean send(Recipient sender, Command command, ResourceKeys keys) {
        return send(new Unread(sender, command, keys, null));
    }

    /**
     * Keeps what is written from here on until {@link #sendGathered}: many commands in one trip to the socket. Whoever else
     * writes on this connection meanwhile waits along, so it is for moments only.
     */
    public void gather() {
        writing.lock();
        try {
            gathering = true;
        } finally {
            writing.unlock();
        }
    }

    /** Sends what was gathered. */
    public void sendGathered() {
        writing.lock();
        try {
            gathering = false;
            if (!closed) {
                wire.flushAll();
            }
        } catch (JedisException e) {
            close(Replies.failure(e), true, true);
        } finally {
            writing.unlock();
        }
    }

    /** Sends a command of the node's own; the reply goes to the node. */
    boolean send(CommandArguments housekeeping) {
        return send(new Unread(null, null, null, housekeeping));
    }

    private boolean send(Unread entry) {
        writing.lock();
        try {
            if (closed) {
                return false;
            }
            entry.writtenAt = System.nanoTime();
            lastUse = entry.writtenAt;
            unread.addLast(entry);
            wire.sendCommand(encode(entry, false));
            if (!gathering) {
                wire.flushAll();
            }
        } catch (JedisException e) {
            // the sender holds its own lock: others must not be told on this thread
            close(Replies.failure(e), true, true);
        } finally {
            writing.unlock();
        }
        return true;
    }

    private CommandArguments encode(Unread entry, boolean inFull) {
        if (entry.command != null && entry.keys != null) {
            return node.encoding().encode(entry.command, entry.keys, runId, inFull);
        }
        return Objects.requireNonNull(entry.housekeeping);
    }

    /** How long the oldest reply has been unread, in nanoseconds; 0 if none is. */
    public long unreadSince(long now) {
        Unread oldest = oldest();
        return oldest == null ? 0 : Math.max(1, now - oldest.writtenAt);
    }

    int unreadCount() {
        writing.lock();
        try {
            return unread.size();
        } finally {
            writing.unlock();
        }
    }

    /**
     * Reads replies and hands them over until {@code reader} waits for nothing more from this node, no reply is missing, or
     * the next one does not begin within {@code patienceNanos}.
     *
     * @param reader null to read at most as many replies as are missing now
     * @return false if another thread is reading
     */
    public boolean read(@Nullable Recipient reader, long patienceNanos) {
        if (!reading.tryLock()) {
            return false;
        }
        try {
            // not what is written meanwhile: the sweeper would wake up for each reply on a connection that is in use
            // again
            for (int left = reader == null ? unreadCount() : Integer.MAX_VALUE;
                    left > 0 && (reader == null || reader.waitsFor(node.index()));
                    left--) {
                Unread next = oldest();
                if (next == null) {
                    break;
                }
                long due = next.writtenAt + node.settings().timeoutNanos();
                long patience = System.nanoTime() + patienceNanos;
                if (!wire.awaitReply(patience - due < 0 ? patience : due)) {
                    if (System.nanoTime() - due >= 0) {
                        timedOut();
                    }
                    break;
                }
                receive(wire.read(due), reader);
            }
        } catch (JedisException e) {
            // the interrupt of a virtual thread closes the socket that it reads; that is not the node's fault
            close(Replies.failure(e), !Thread.currentThread().isInterrupted(), false);
        } finally {
            reading.unlock();
        }
        return true;
    }

    private void timedOut() {
        long millis = node.settings().timeoutNanos() / 1_000_000;
        close(new NodeFailure(Reason.TIMED_OUT, "no answer within " + millis + " ms"), true, false);
    }

    private void receive(@Nullable Object reply, @Nullable Recipient reader) {
        Unread entry;
        writing.lock();
        try {
            entry = unread.pollFirst();
            if (entry == null || (reply instanceof JedisNoScriptException && resend(entry))) {
                return;
            }
        } finally {
            writing.unlock();
        }
        if (entry.sender == null || entry.command == null) {
            node.housekeepingAnswered(Objects.requireNonNull(entry.housekeeping), reply, entry.writtenAt);
        } else {
            if (entry.sender == reader) {
                node.measured(System.nanoTime() - entry.writtenAt);
            }
            entry.sender.answered(node.index(), entry.command, Replies.answer(entry.command, reply));
        }
    }

    /** The server forgot its scripts. Only a command with nothing of its sender behind it may go to the end of the line. */
    private boolean resend(Unread entry) {
        if (entry.resent || closed || unread.stream().anyMatch(later -> later.sender == entry.sender)) {
            return false;
        }
        entry.resent = true;
        entry.writtenAt = System.nanoTime();
        unread.addLast(entry);
        wire.write(encode(entry, true));
        return true;
    }

    private @Nullable Unread oldest() {
        writing.lock();
        try {
            return unread.peekFirst();
        } finally {
            writing.unlock();
        }
    }

    /** Closes the connection because of {@code failure}, which becomes the answer to all that is unanswered. */
    void close(NodeFailure failure, boolean nodeFailed, boolean tellInBackground) {
        List<Unread> lost;
        writing.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            lost = new ArrayList<>(unread);
            unread.clear();
        } finally {
            writing.unlock();
        }
        wire.abort();
        node.connectionClosed(this, failure, nodeFailed);
        tell(lost, failure, tellInBackground);
    }

    private void tell(List<Unread> lost, NodeFailure failure, boolean inBackground) {
        Runnable telling = () -> lost.forEach(entry -> entry.tell(node.index(), failure));
        if (inBackground) {
            node.background().run(telling);
        } else {
            telling.run();
        }
    }

    /** Closes without need, for example at the end of the client's life: what was written still goes out. */
    void closeGently() {
        List<Unread> lost;
        writing.lock();
        try {
            closed = true;
            lost = new ArrayList<>(unread);
            unread.clear();
        } finally {
            writing.unlock();
        }
        wire.closeGently();
        tell(lost, new NodeFailure(Reason.CONNECTION_LOST, "the client was closed"), false);
    }

    /** A command whose reply was not read yet, either of a sender or of the node's own housekeeping. */
    private static final class Unread {

        final @Nullable Recipient sender;
        final @Nullable Command command;
        final @Nullable ResourceKeys keys;
        final @Nullable CommandArguments housekeeping;
        long writtenAt;
        boolean resent;

        Unread(
                @Nullable Recipient sender,
                @Nullable Command command,
                @Nullable ResourceKeys keys,
                @Nullable CommandArguments housekeeping) {
            this.sender = sender;
            this.command = command;
            this.keys = keys;
            this.housekeeping = housekeeping;
        }

        void tell(int node, NodeFailure failure) {
            if (sender != null && command != null) {
                sender.answered(node, command, new Answer.Failed(failure, true));
            }
        }
    }
}
