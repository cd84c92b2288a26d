package io.github.fencedwrite.internal.redis;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

/**
 * A socket whose reads end at a point in time rather than after a span since the last byte, so that a node which sends one
 * byte now and then cannot hold up its reader.
 */
final class DeadlineSocket extends Socket {

    private volatile long deadline;

    /** Lets reads go on until {@code nanoTime}, on the clock of {@link System#nanoTime}. A last quick look is always taken. */
    void readUntil(long nanoTime) {
        deadline = nanoTime;
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return new DeadlineStream(super.getInputStream());
    }

    private final class DeadlineStream extends FilterInputStream {

        DeadlineStream(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            long left = deadline - System.nanoTime();
            long millis = TimeUnit.NANOSECONDS.toMillis(left + 999_999);
            setSoTimeout((int) Math.min(Math.max(millis, 1), Integer.MAX_VALUE));
            return super.read(into, offset, length);
        }
    }
}
