package io.github.fencedwrite.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.util.RedisInputStream;

/**
 * Reads the replies that a node of ours can give, and trusts the server with nothing: not with the size that a reply claims
 * to have, nor with its depth, nor with its end. Jedis's own reader allocates whatever is announced and recurses as deep as
 * the reply does, so a broken server could end the application's threads with an Error. Follows the Redis serialization
 * protocol, version 2. Not safe for use by several threads at once.
 */
final class ReplyReader {

    /** The longest of all, INFO, has some thousand bytes. */
    private static final int MOST_BYTES = 1 << 20;

    private static final int MOST_ELEMENTS = 1_024;
    private static final int DEEPEST = 4;

    private final RedisInputStream in;
    private int budget;

    ReplyReader(RedisInputStream in) {
        this.in = in;
    }

    /** Waits for the first byte of a reply and leaves it there. */
    void await() {
        in.peek((byte) 0);
    }

    /**
     * Reads one reply: bytes, a number, a list of these, or null.
     *
     * @throws JedisDataException if it is an error
     * @throws JedisConnectionException if the connection breaks, or what comes is no such reply
     */
    @Nullable Object read() {
        budget = MOST_BYTES;
        return read(0);
    }

    private @Nullable Object read(int depth) {
        byte kind = in.readByte();
        return switch (kind) {
            case ':' -> number();
            case '$' -> bytes();
            case '+' -> line().getBytes(UTF_8);
            case '-' -> throw error(line());
            case '*' -> list(depth);
            default -> throw wrong("begins with byte " + kind);
        };
    }

    private @Nullable List<@Nullable Object> list(int depth) {
        long size = number();
        if (size == -1) {
            return null;
        }
        if (size < 0 || size > MOST_ELEMENTS || depth == DEEPEST) {
            throw wrong("is a list of " + size + " at depth " + depth);
        }
        List<@Nullable Object> elements = new ArrayList<>();
        for (long i = 0; i < size; i++) {
            try {
                elements.add(read(depth + 1));
            } catch (JedisDataException error) {
                elements.add(error);
            }
        }
        return elements;
    }

    private byte @Nullable [] bytes() {
        long size = number();
        if (size == -1) {
            return null;
        }
        if (size < 0 || size > budget) {
            throw wrong("has " + size + " bytes");
        }
        byte[] bytes = new byte[(int) size];
        for (int read = 0; read < bytes.length; ) {
            read += in.read(bytes, read, bytes.length - read);
        }
        budget -= bytes.length;
        if (in.readByte() != '\r' || in.readByte() != '\n') {
            throw wrong("does not end where it said");
        }
        return bytes;
    }

    /** By hand, since nothing is read as often as the numbers of tokens. */
    private long number() {
        byte next = in.readByte();
        boolean negative = next == '-';
        if (negative) {
            next = in.readByte();
        }
        long number = 0;
        int digits = 0;
        for (; next >= '0' && next <= '9' && digits < 18; digits++) {
            number = number * 10 + next - '0';
            next = in.readByte();
        }
        if (digits == 0 || next != '\r' || in.readByte() != '\n') {
            throw wrong("has a number that is none");
        }
        return negative ? -number : number;
    }

    private String line() {
        byte[] text = new byte[64];
        int length = 0;
        for (byte next = in.readByte(); next != '\r'; next = in.readByte()) {
            if (budget-- == 0) {
                throw wrong("is a line without end");
            }
            if (length == text.length) {
                text = Arrays.copyOf(text, 2 * length);
            }
            text[length++] = next;
        }
        if (in.readByte() != '\n') {
            throw wrong("has half an end of line");
        }
        return new String(text, 0, length, UTF_8);
    }

    private static JedisDataException error(String message) {
        return message.startsWith("NOSCRIPT") ? new JedisNoScriptException(message) : new JedisDataException(message);
    }

    private static JedisConnectionException wrong(String what) {
        return new JedisConnectionException("The server does not answer as Redis does: a reply " + what);
    }
}
