package io.github.fencedwrite.internal.redis;

import io.github.fencedwrite.internal.loop.Link;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.util.RedisOutputStream;

/** Encoded commands that the socket has not taken yet. */
final class Outgoing extends OutputStream {

    private static final int USUAL = 16_384;

    private final RedisOutputStream encoder = new RedisOutputStream(this);
    private ByteBuffer bytes = ByteBuffer.allocate(USUAL);

    void add(CommandArguments command) throws IOException {
        Protocol.sendCommand(encoder, command);
        encoder.flush();
    }

    boolean isEmpty() {
        return bytes.position() == 0;
    }

    int size() {
        return bytes.position();
    }

    /** Writes what fits. */
    void writeTo(Link link) throws IOException {
        bytes.flip();
        try {
            link.write(bytes);
        } finally {
            bytes.compact();
        }
        if (isEmpty() && bytes.capacity() > 8 * USUAL) {
            bytes = ByteBuffer.allocate(USUAL);
        }
    }

    @Override
    public void write(int one) {
        room(1).put((byte) one);
    }

    @Override
    public void write(byte[] from, int offset, int length) {
        room(length).put(from, offset, length);
    }

    private ByteBuffer room(int length) {
        if (bytes.remaining() < length) {
            bytes.flip();
            bytes = ByteBuffer.allocate(Math.max(2 * bytes.capacity(), bytes.limit() + length))
                    .put(bytes);
        }
        return bytes;
    }
}
