package io.github.fencedwrite;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** One command or one reply of the Redis protocol (version 2 or 3), as the bytes that it is on the wire. */
final class RespFrame {

    private RespFrame() {}

    static byte[] read(InputStream in) throws IOException {
        ByteArrayOutputStream raw = new ByteArrayOutputStream();
        copy(in, raw);
        return raw.toByteArray();
    }

    private static void copy(InputStream in, ByteArrayOutputStream raw) throws IOException {
        String line = line(in, raw);
        switch (line.charAt(0)) {
            case '$', '=', '!' -> {
                int size = Integer.parseInt(line.substring(1));
                if (size >= 0) {
                    bytes(in, raw, size + 2);
                }
            }
            case '*', '~', '>' -> values(in, raw, Integer.parseInt(line.substring(1)));
            case '%' -> values(in, raw, 2 * Integer.parseInt(line.substring(1)));
            default -> {
                // the line is all
            }
        }
    }

    private static void values(InputStream in, ByteArrayOutputStream raw, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            copy(in, raw);
        }
    }

    private static String line(InputStream in, ByteArrayOutputStream raw) throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException();
            }
            raw.write(next);
            if (next == '\n') {
                return line.substring(0, line.length() - 1);
            }
            line.append((char) next);
        }
    }

    private static void bytes(InputStream in, ByteArrayOutputStream raw, int length) throws IOException {
        byte[] read = in.readNBytes(length);
        if (read.length < length) {
            throw new EOFException();
        }
        raw.writeBytes(read);
    }
}
