package io.github.fencedwrite.internal.simulation;

/** A clock with a speed of its own, in nanoseconds. */
final class Clock {

    private final double speed;
    private long trueOrigin;
    private long origin;

    Clock(long shownAtStart, double speed) {
        this.origin = shownAtStart;
        this.speed = speed;
    }

    /** What it shows at a moment of true time. */
    long at(long trueTime) {
        return origin + (long) ((trueTime - trueOrigin) * speed);
    }

    /** When, in true time, it will show {@code shown}, or did, unless it jumps. */
    long whenItShows(long shown) {
        return trueOrigin + (long) Math.ceil((shown - origin) / speed);
    }

    /** How much true time passes while it advances by {@code nanos}. */
    long trueDuration(long nanos) {
        return (long) Math.ceil(nanos / speed);
    }

    void jump(long trueNow, long by) {
        origin = at(trueNow) + by;
        trueOrigin = trueNow;
    }
}
