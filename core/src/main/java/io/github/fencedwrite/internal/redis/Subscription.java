package io.github.fencedwrite.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Listens to channels of one node over a connection of its own. One thread reads; any thread may add and remove channels or
 * close.
 */
public final class Subscription implements AutoCloseable {

    private static final byte[] MESSAGE = "message".getBytes(US_ASCII);
    private static final long SLICE = TimeUnit.MILLISECONDS.toNanos(500);

    private final Wire wire;
    private final long timeoutNanos;
    private boolean asked;
    private boolean answered = true;

    Subscription(Wire wire, long timeoutNanos) {
        this.wire = wire;
        this.timeoutNanos = timeoutNanos;
    }

    /** Listens to a channel as well. A failure shows when reading. */
    public void add(byte[] channel) {
        write(Protocol.Command.SUBSCRIBE, channel);
    }

    /** Listens to a channel no more. */
    public void remove(byte[] channel) {
        write(Protocol.Command.UNSUBSCRIBE, channel);
    }

    private synchronized void write(Protocol.Command command, byte @Nullable [] channel) {
        try {
            CommandArguments call = new CommandArguments(command);
            wire.write(channel == null ? call : call.add(channel));
        } catch (JedisException e) {
            wire.abort();
        }
    }

    /**
     * Waits a little for a message.
     *
     * @return the channel of the message, or null if there was none
     * @throws JedisException if the connection is broken, or mute for longer than the node's timeout
     */
    public byte @Nullable [] next() {
        if (!wire.awaitReply(System.nanoTime() + (answered ? SLICE : timeoutNanos))) {
            if (asked && !answered) {
                throw new JedisConnectionException("no answer to PING");
            }
            asked = true;
            answered = false;
            write(Protocol.Command.PING, null);
            return null;
        }
        Object reply = wire.read(System.nanoTime() + timeoutNanos);
        answered = true;
        if (reply instanceof JedisException error) {
            throw error;
        }
        if (reply instanceof List<?> parts
                && parts.size() == 3
                && parts.get(0) instanceof byte[] kind
                && Arrays.equals(kind, MESSAGE)
                && parts.get(1) instanceof byte[] channel) {
            return channel;
        }
        return null;
    }

    @Override
    public void close() {
        wire.abort();
    }
}
