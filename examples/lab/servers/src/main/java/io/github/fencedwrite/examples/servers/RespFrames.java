package io.github.fencedwrite.examples.servers;

import java.nio.ByteBuffer;

/**
 * Finds where commands or replies end in a stream of RESP2 or RESP3 that arrives in arbitrary pieces. It keeps no values,
 * only how many are still to come: an array of n adds n, every other value takes one away. Not thread safe.
 */
final class RespFrames {

    private static final int LONGEST_NUMBER = 20;

    private final StringBuilder number = new StringBuilder();
    private long valuesToCome;
    private long bytesToCome;
    private boolean inLine;
    private byte type;

    /** Tells whether the next byte is the first of a frame. */
    boolean atStart() {
        return valuesToCome == 0;
    }

    /**
     * Skips to the end of the frame, or to the end of the bytes if that comes first.
     *
     * @return true if the frame is complete
     * @throws IllegalArgumentException if this is no RESP
     */
    boolean skip(ByteBuffer bytes) {
        if (atStart() && bytes.hasRemaining()) {
            valuesToCome = 1;
        }
        while (bytes.hasRemaining() && valuesToCome > 0) {
            if (bytesToCome > 0) {
                skipBulk(bytes);
            } else {
                line(bytes.get());
            }
        }
        return valuesToCome == 0;
    }

    private void skipBulk(ByteBuffer bytes) {
        int skipped = (int) Math.min(bytes.remaining(), bytesToCome);
        bytes.position(bytes.position() + skipped);
        bytesToCome -= skipped;
        if (bytesToCome == 0) {
            valuesToCome--;
        }
    }

    private void line(byte next) {
        if (!inLine) {
            inLine = true;
            type = next;
            number.setLength(0);
        } else if (next == '\n') {
            inLine = false;
            endOfLine();
        } else if (next != '\r' && number.length() < LONGEST_NUMBER) {
            number.append((char) next);
        }
    }

    private void endOfLine() {
        switch (type) {
            case '$', '=', '!' -> {
                long length = Long.parseLong(number, 0, number.length(), 10);
                if (length < 0) {
                    valuesToCome--;
                } else {
                    bytesToCome = length + 2;
                }
            }
            case '*', '~', '>' -> valuesToCome += Math.max(0, Long.parseLong(number, 0, number.length(), 10)) - 1;
            case '%' -> valuesToCome += 2 * Long.parseLong(number, 0, number.length(), 10) - 1;
            // attributes stand in front of the value that they describe
            case '|' -> valuesToCome += 2 * Long.parseLong(number, 0, number.length(), 10);
            default -> valuesToCome--;
        }
    }
}
