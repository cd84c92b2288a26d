package io.github.fencedwrite.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.NodeFailure.Reason;
import io.github.fencedwrite.internal.loop.Link;
import io.github.fencedwrite.internal.redis.Request.Extensions;
import io.github.fencedwrite.internal.redis.Request.Listening;
import io.github.fencedwrite.internal.redis.Request.ScriptCall;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * The one connection to a node: an outbox, and the line of requests that were written and not answered. Replies come in the
 * order in which requests were written, which is the order in which they were sent, except that extensions go first.
 *
 * <p>An answer that does not come in time, a broken stream or any failure in here closes the connection for good: what comes
 * later could not be told from the answer to another request. Everything unanswered is then answered in the same step.
 *
 * <p>Used in steps of the loop only.
 */
final class NodeConnection implements Link.Owner {

    private static final Logger log = LoggerFactory.getLogger(NodeConnection.class);
    /** What is written before anything is read bounds how long extensions have to stand in line. */
    private static final int MOST_UNANSWERED = 512;

    private static final int MOST_ENCODED = 65_536;
    private static final int MOST_UNSENT = 8 << 20;
    private static final int MOST_EXTENSIONS = 128;
    private static final byte[] MESSAGE = "message".getBytes(US_ASCII);
    private static final byte[] SUBSCRIBED = "subscribe".getBytes(US_ASCII);
    private static final byte[] UNSUBSCRIBED = "unsubscribe".getBytes(US_ASCII);

    private final Owner owner;
    private final Node node;
    private final long timeoutNanos;
    private final ByteBuffer in = ByteBuffer.allocate(16_384);
    private final ReplyParser parser = new ReplyParser();
    private final Outgoing out = new Outgoing();
    private final ArrayDeque<Request> unanswered = new ArrayDeque<>();
    private final ArrayDeque<ScriptCall> extensions = new ArrayDeque<>();
    private final ArrayDeque<Request> unsent = new ArrayDeque<>();
    private int unsentBytes;
    private @Nullable Link link;
    private boolean connected;
    private boolean blocked;
    private boolean closed;

    /** Who is told of what concerns the connection as a whole. */
    interface Owner {

        /** Bytes can be sent. */
        void connected(NodeConnection connection);

        /** It is of no use any more; what was unanswered is told afterwards. */
        void closed(NodeConnection connection, NodeFailure failure);

        /** A message came on a channel. */
        void heard(byte[] channel);
    }

    NodeConnection(Owner owner, Node node) {
        this.owner = owner;
        this.node = node;
        this.timeoutNanos = node.timeoutNanos();
    }

    /** Uses {@code opened}, which begins to connect. */
    void over(Link opened) {
        link = opened;
    }

    /** Puts a request into the outbox; false if that is full. */
    boolean send(Request request) {
        if (unsentBytes > MOST_UNSENT) {
            return false;
        }
        unsentBytes += request.size();
        unsent.addLast(request);
        return true;
    }

    /** Puts an extension before all that is not written yet. */
    void sendFirst(ScriptCall extension) {
        extensions.addLast(extension);
    }

    boolean isClosed() {
        return closed;
    }

    boolean isWaiting() {
        return !unanswered.isEmpty() || !unsent.isEmpty() || !extensions.isEmpty();
    }

    @Override
    public void ready() {
        try {
            Link open = link;
            if (closed || open == null) {
                return;
            }
            if (!connected) {
                if (!open.finishConnect()) {
                    return;
                }
                connected = true;
                owner.connected(this);
            }
            blocked = false;
            read(open);
        } catch (IOException | RuntimeException | Error e) {
            failed(e);
        }
    }

    private void read(Link open) throws IOException {
        int length;
        do {
            in.clear();
            length = open.read(in);
            in.flip();
            while (!closed && parser.parse(in)) {
                receive(parser.reply(), parser.isPush());
            }
        } while (!closed && length == in.capacity());
        if (length < 0 && !closed) {
            throw new EOFException("the server closed the connection");
        }
    }

    private void receive(@Nullable Object reply, boolean push) {
        if (push) {
            hear(reply);
            return;
        }
        Request request = unanswered.pollFirst();
        if (request == null) {
            throw new JedisException("The server does not answer as Redis does: a reply to nothing");
        }
        if (reply instanceof JedisNoScriptException && mayGoBehind(request)) {
            request.resent = true;
            unsent.addFirst(request);
            unsentBytes += request.size();
            return;
        }
        if (request instanceof ScriptCall) {
            node.measured(node.now() - request.writtenAt);
        }
        request.answered(reply);
    }

    /** The server forgot its scripts. Only a request with nothing of its sender behind it may go to the end of the line. */
    private boolean mayGoBehind(Request request) {
        return !request.resent
                && unanswered.stream().noneMatch(later -> later.isBehind(request))
                && unsent.stream().noneMatch(later -> later.isBehind(request));
    }

    private void hear(@Nullable Object message) {
        if (!(message instanceof List<?> parts) || parts.isEmpty() || !(parts.get(0) instanceof byte[] kind)) {
            return;
        }
        if (Arrays.equals(kind, SUBSCRIBED) || Arrays.equals(kind, UNSUBSCRIBED)) {
            if (!(unanswered.pollFirst() instanceof Listening)) {
                throw new JedisException("The server does not answer as Redis does: a channel nobody asked for");
            }
        } else if (Arrays.equals(kind, MESSAGE) && parts.size() == 3 && parts.get(1) instanceof byte[] channel) {
            owner.heard(channel);
        }
    }

    /** Writes what the socket takes, and ends the connection if an answer is overdue. Survives everything. */
    void tend(long now) {
        Link open = link;
        if (closed || !connected || open == null) {
            return;
        }
        try {
            if (isOverdue(now)) {
                // this process may have slept while the answer came
                read(open);
                if (!closed && isOverdue(now)) {
                    long millis = TimeUnit.NANOSECONDS.toMillis(timeoutNanos);
                    close(new NodeFailure(Reason.TIMED_OUT, "no answer within " + millis + " ms"));
                    return;
                }
            }
            write(open, now);
        } catch (IOException | RuntimeException | Error e) {
            failed(e);
        }
    }

    private void write(Link open, long now) throws IOException {
        while (!closed && !blocked) {
            encode(now);
            if (out.isEmpty()) {
                return;
            }
            out.writeTo(open);
            blocked = !out.isEmpty();
            open.wantWrite(blocked);
        }
    }

    private void encode(long now) throws IOException {
        while (out.size() < MOST_ENCODED && unanswered.size() < MOST_UNANSWERED) {
            Request next = extensions.isEmpty() ? unsent.pollFirst() : someExtensions();
            if (next == null) {
                return;
            }
            if (next.resent || !(next instanceof Extensions)) {
                unsentBytes -= next.size();
            }
            next.writtenAt = now;
            // noted first: whatever happens from here on, it is answered
            unanswered.addLast(next);
            out.add(next.encode(next.resent));
        }
    }

    private Request someExtensions() {
        List<ScriptCall> some = new ArrayList<>(Math.min(extensions.size(), MOST_EXTENSIONS));
        while (!extensions.isEmpty() && some.size() < MOST_EXTENSIONS) {
            some.add(extensions.removeFirst());
        }
        return new Extensions(node, some);
    }

    private boolean isOverdue(long now) {
        Request oldest = unanswered.peekFirst();
        return oldest != null && now - oldest.writtenAt >= timeoutNanos;
    }

    /** When an answer will be overdue, at the latest {@code latest}. */
    long overdueAt(long latest) {
        boolean handedIn = !unsent.isEmpty() || !extensions.isEmpty();
        if (handedIn && connected && !closed && !blocked && unanswered.size() < MOST_UNANSWERED) {
            // by another node, which was seen to after this one in the same step
            long now = node.now();
            return latest - now < 0 ? latest : now;
        }
        Request oldest = unanswered.peekFirst();
        return oldest == null || latest - (oldest.writtenAt + timeoutNanos) < 0
                ? latest
                : oldest.writtenAt + timeoutNanos;
    }

    private void failed(Throwable failure) {
        if (failure instanceof Error) {
            log.error("The connection to {} is closed, since something failed half-way", node.name(), failure);
        }
        close(Replies.failure(failure));
    }

    /** Closes the connection because of {@code failure}, which becomes the answer to all that is unanswered. */
    void close(NodeFailure failure) {
        end(failure, false);
    }

    /** Closes without need, at the end of the client's life: what the socket has taken still arrives. */
    void closeGently(NodeFailure reason) {
        end(reason, true);
    }

    private void end(NodeFailure failure, boolean gently) {
        if (closed) {
            return;
        }
        closed = true;
        surviving(() -> closeLink(gently));
        surviving(() -> owner.closed(this, failure));
        for (Request request = unanswered.pollFirst(); request != null; request = unanswered.pollFirst()) {
            tell(request, failure, true);
        }
        for (Request request = extensions.pollFirst(); request != null; request = extensions.pollFirst()) {
            tell(request, failure, false);
        }
        for (Request request = unsent.pollFirst(); request != null; request = unsent.pollFirst()) {
            tell(request, failure, false);
        }
    }

    private void closeLink(boolean gently) {
        Link open = link;
        if (open != null && gently && connected) {
            open.close();
        } else if (open != null) {
            open.abort();
        }
    }

    /** Whatever fails here, those who wait for an answer are told. */
    private void surviving(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            log.error("The connection to {} could not be closed in order", node.name(), e);
        }
    }

    private static void tell(Request request, NodeFailure failure, boolean mayHaveRun) {
        try {
            request.failed(failure, mayHaveRun);
        } catch (RuntimeException | Error e) {
            log.error("A lost request could not be answered; this is a defect of the library, or memory is short", e);
        }
    }
}
