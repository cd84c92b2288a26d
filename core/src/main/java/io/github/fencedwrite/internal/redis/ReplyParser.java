package io.github.fencedwrite.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * Reads the replies that a node of ours can give from whatever bytes have arrived, and trusts the server with nothing: not
 * with the size that a reply claims to have, nor with its depth, nor with its end. Follows the Redis serialization protocol,
 * versions 2 and 3. Each byte is looked at once, however few of them arrive at a time. Not safe for use by several threads
 * at once.
 */
final class ReplyParser {

    /** The longest of all, INFO, has some thousand bytes. */
    private static final int MOST_BYTES = 1 << 20;

    private static final int MOST_ELEMENTS = 1_024;
    private static final int DEEPEST = 4;
    private static final int MOST_DIGITS = 18;

    private final Deque<Collected> open = new ArrayDeque<>();
    private byte[] line = new byte[64];
    private int length;
    private int budget = MOST_BYTES;
    private State state = State.KIND;
    private byte kind;
    private byte[] bytes = {};
    private int filled;
    private boolean push;
    private @Nullable Object reply;

    private enum State {
        KIND,
        LINE,
        END_OF_LINE,
        BYTES,
        END_OF_BYTES
    }

    /**
     * Goes on reading.
     *
     * @return whether a reply is complete; further bytes are left in {@code in} then
     * @throws JedisConnectionException if what comes is no such reply; this parser is of no use then
     */
    boolean parse(ByteBuffer in) {
        while (in.hasRemaining()) {
            if (state == State.BYTES) {
                int size = Math.min(in.remaining(), bytes.length - filled);
                in.get(bytes, filled, size);
                filled += size;
                if (filled == bytes.length) {
                    state = State.END_OF_BYTES;
                    filled = 0;
                }
            } else if (take(in.get())) {
                return true;
            }
        }
        return false;
    }

    /** The reply: bytes, a number, an error as an exception, a list of these, or null. */
    @Nullable Object reply() {
        return reply;
    }

    /** Whether the reply belongs to no command: a message of a channel. */
    boolean isPush() {
        return push;
    }

    private boolean take(byte next) {
        switch (state) {
            case KIND -> {
                if (open.isEmpty()) {
                    budget = MOST_BYTES;
                    push = next == '>';
                }
                kind = next;
                length = 0;
                state = State.LINE;
                if (":$+-*>%~_#,(=!".indexOf(next) < 0 || (next == '>' && !open.isEmpty())) {
                    throw wrong("begins with byte " + next);
                }
                return false;
            }
            case LINE -> {
                addToLine(next);
                return false;
            }
            case END_OF_LINE -> {
                if (next != '\n') {
                    throw wrong("has half an end of line");
                }
                return lineRead();
            }
            default -> {
                if (next != (filled++ == 0 ? '\r' : '\n')) {
                    throw wrong("does not end where it said");
                }
                return filled == 2 && add(kind == '!' ? error(new String(bytes, UTF_8)) : withoutFormat());
            }
        }
    }

    private void addToLine(byte next) {
        if (next == '\r') {
            state = State.END_OF_LINE;
            return;
        }
        if (":$*%~>=!".indexOf(kind) >= 0) {
            if (length > MOST_DIGITS) {
                throw wrong("has a number that is none");
            }
        } else if (budget-- == 0) {
            throw wrong("is a line without end");
        }
        if (length == line.length) {
            line = Arrays.copyOf(line, 2 * length);
        }
        line[length++] = next;
    }

    private boolean lineRead() {
        return switch (kind) {
            case ':' -> add(number());
            case '+', ',', '(' -> add(Arrays.copyOf(line, length));
            case '-' -> add(error(new String(line, 0, length, UTF_8)));
            case '#' -> add(length == 1 && line[0] == 't' ? 1L : 0L);
            case '_' -> add(null);
            case '$', '=', '!' -> beginBytes(number());
            case '%' -> beginList(number(), 2);
            default -> beginList(number(), 1);
        };
    }

    private boolean beginBytes(long size) {
        if (size == -1) {
            return add(null);
        }
        if (size < 0 || size > budget) {
            throw wrong("has " + size + " bytes");
        }
        budget -= (int) size;
        bytes = new byte[(int) size];
        filled = 0;
        state = size == 0 ? State.END_OF_BYTES : State.BYTES;
        return false;
    }

    private boolean beginList(long size, int each) {
        if (size == -1) {
            return add(null);
        }
        if (size < 0 || size > MOST_ELEMENTS || open.size() == DEEPEST) {
            throw wrong("is a list of " + size + " at depth " + open.size());
        }
        if (size == 0) {
            return add(List.of());
        }
        open.push(new Collected((int) size * each));
        state = State.KIND;
        return false;
    }

    /** A value is complete, and with it maybe the lists that it ends. */
    private boolean add(@Nullable Object value) {
        state = State.KIND;
        Object complete = value;
        while (true) {
            Collected list = open.peek();
            if (list == null) {
                reply = complete;
                return true;
            }
            list.elements.add(complete);
            if (list.elements.size() < list.size) {
                return false;
            }
            open.pop();
            complete = list.elements;
        }
    }

    /** A verbatim string begins with three letters for its format and a colon. */
    private byte[] withoutFormat() {
        return kind == '=' && bytes.length >= 4 ? Arrays.copyOfRange(bytes, 4, bytes.length) : bytes;
    }

    /** By hand, since nothing is read as often as the numbers of tokens. */
    private long number() {
        boolean negative = length > 0 && line[0] == '-';
        int first = negative ? 1 : 0;
        if (length == first || length - first > MOST_DIGITS) {
            throw wrong("has a number that is none");
        }
        long number = 0;
        for (int i = first; i < length; i++) {
            if (line[i] < '0' || line[i] > '9') {
                throw wrong("has a number that is none");
            }
            number = number * 10 + line[i] - '0';
        }
        return negative ? -number : number;
    }

    private static JedisDataException error(String message) {
        return message.startsWith("NOSCRIPT") ? new JedisNoScriptException(message) : new JedisDataException(message);
    }

    private static JedisConnectionException wrong(String what) {
        return new JedisConnectionException("The server does not answer as Redis does: a reply " + what);
    }

    /** A list that is not complete. */
    private static final class Collected {

        final int size;
        final List<@Nullable Object> elements = new ArrayList<>();

        Collected(int size) {
            this.size = size;
        }
    }
}
