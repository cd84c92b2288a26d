package io.github.fencedwrite.internal.redis;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** How a node's wall clock compares with this client's. Safe for use by many threads. */
final class NodeClock {

    private final LongSupplier wallMicros;
    private volatile Reading latest = new Reading(0, 0, false);

    NodeClock() {
        this(Clocks::wallMicros);
    }

    NodeClock(LongSupplier wallMicros) {
        this.wallMicros = wallMicros;
    }

    /** The node told its time, which is {@code aheadMicros} ahead of this client's. */
    void read(long aheadMicros) {
        latest = new Reading(aheadMicros, offset(), true);
    }

    /** The node answers {@code nodeMicros} to a question that was asked {@code nanos} ago. */
    void read(long nodeMicros, long nanos) {
        long half = TimeUnit.NANOSECONDS.toMicros(nanos) / 2;
        read(nodeMicros + half - wallMicros.getAsLong());
    }

    /**
     * How far the node's wall clock is ahead of this client's now, in microseconds; a jump of the client's clock since the
     * node was asked is taken into account. Zero if the node was never asked.
     */
    long aheadMicros() {
        Reading reading = latest;
        return reading.known ? reading.aheadMicros - (offset() - reading.offset) : 0;
    }

    /** Changes when the wall clock jumps. */
    private long offset() {
        return wallMicros.getAsLong() - TimeUnit.NANOSECONDS.toMicros(System.nanoTime());
    }

    private record Reading(long aheadMicros, long offset, boolean known) {}
}
