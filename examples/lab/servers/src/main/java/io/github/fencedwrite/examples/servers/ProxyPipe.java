package io.github.fencedwrite.examples.servers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a proxied connection: parcels of bytes, each with the time at which it is due at the other end. What
 * was read in one piece is written in one piece. Guarded by the lock of {@link ProxyLoop}.
 */
final class ProxyPipe {

    /** Reading stops above this, as it would when the kernel's buffers are full. */
    private static final long MOST_BYTES = 4L << 20;

    /** When to try again if the target takes no more. */
    private static final long RETRY_NANOS = 100_000;

    private record Parcel(
            long due, @Nullable ByteBuffer bytes, @Nullable Cut end) {}

    final ProxyLink link;
    private final SelectionKey source;
    private final SocketChannel target;
    private final AtomicLong counter;
    private final ArrayDeque<Parcel> parcels = new ArrayDeque<>();
    private long queuedBytes;
    private long lastDue;
    private boolean isHeld;
    private boolean sourcePaused;
    private boolean sourceEnded;

    /** Whether it stands in the loop's queue; its first parcel must not change meanwhile. */
    boolean isScheduled;

    ProxyPipe(ProxyLink link, SelectionKey source, SocketChannel target, AtomicLong counter) {
        this.link = link;
        this.source = source;
        this.target = target;
        this.counter = counter;
        this.lastDue = System.nanoTime();
    }

    /** Takes bytes that are due at a time of {@link System#nanoTime}, but never before what came earlier. */
    void add(ByteBuffer bytes, long due) {
        if (bytes.hasRemaining()) {
            parcels.addLast(new Parcel(inOrder(due), bytes, null));
            queuedBytes += bytes.remaining();
            if (queuedBytes > MOST_BYTES) {
                sourcePaused = true;
                source.interestOpsAnd(~SelectionKey.OP_READ);
            }
        }
    }

    /** Stops reading for good. */
    void sourceEnded() {
        sourceEnded = true;
        if (source.isValid()) {
            source.interestOps(0);
        }
    }

    /** Takes the end of the stream, behind all bytes. */
    void addEnd(Cut end, long due) {
        parcels.addLast(new Parcel(inOrder(due), null, end));
    }

    void hold(boolean hold) {
        isHeld = hold;
    }

    boolean isHeld() {
        return isHeld;
    }

    boolean hasSourceEnded() {
        return sourceEnded;
    }

    boolean isEmpty() {
        return parcels.isEmpty();
    }

    void clear() {
        parcels.clear();
        queuedBytes = 0;
    }

    /** Returns when its first parcel is due. */
    long due() {
        return parcels.getFirst().due;
    }

    /**
     * Writes what is due.
     *
     * @return the end of the stream, if that was reached
     */
    @Nullable Cut deliver(long now) throws IOException {
        while (!isHeld && !parcels.isEmpty() && due() - now <= 0) {
            Parcel parcel = parcels.removeFirst();
            if (parcel.bytes == null) {
                return parcel.end;
            }
            int written = target.write(parcel.bytes);
            counter.addAndGet(written);
            queuedBytes -= written;
            if (parcel.bytes.hasRemaining()) {
                parcels.addFirst(new Parcel(System.nanoTime() + RETRY_NANOS, parcel.bytes, null));
            }
        }
        if (sourcePaused && queuedBytes < MOST_BYTES / 2 && !sourceEnded && source.isValid()) {
            sourcePaused = false;
            source.interestOpsOr(SelectionKey.OP_READ);
            source.selector().wakeup();
        }
        return null;
    }

    private long inOrder(long due) {
        lastDue = due - lastDue > 0 ? due : lastDue;
        return lastDue;
    }
}
