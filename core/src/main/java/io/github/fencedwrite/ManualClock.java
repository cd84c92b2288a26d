package io.github.fencedwrite;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A clock that stands still until a test advances it, for {@link FencedLocks#inMemory}. Being a {@link Clock}, it can also be
 * given to the application's own code. Safe for use by many threads.
 *
 * <p>What falls due on the way happens in the order of time, on the thread that advances the clock and at the time it was due:
 * leases are renewed, expire, call back, and waiters get their turn, before {@link #advance} returns.
 */
public final class ManualClock extends Clock {

    private final Instant start;
    private final ZoneId zone;
    private final Time time;

    private ManualClock(Instant start, ZoneId zone, Time time) {
        this.start = start;
        this.zone = zone;
        this.time = time;
    }

    /** A clock that stands at 1 January 2026, 00:00 UTC. */
    public static ManualClock create() {
        return startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    }

    /** A clock that stands at {@code start}, in UTC. */
    public static ManualClock startingAt(Instant start) {
        return new ManualClock(Objects.requireNonNull(start, "start"), ZoneOffset.UTC, new Time());
    }

    /**
     * Lets time pass.
     *
     * @param by zero or more
     * @throws IllegalArgumentException if {@code by} is negative: time does not go back
     */
    public void advance(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("Time does not go back, but this clock was to be advanced by " + by
                    + ". Start a new clock, and new locks, for another test.");
        }
        time.advanceTo(Math.addExact(time.nanos(), by.toNanos()));
    }

    /**
     * Lets time pass until {@code instant}.
     *
     * @throws IllegalArgumentException if that is in this clock's past
     */
    public void advanceTo(Instant instant) {
        Duration by = Duration.between(instant(), instant);
        if (by.isNegative()) {
            throw new IllegalArgumentException("Time does not go back, but this clock stands at " + instant()
                    + " and was to be set to " + instant + ". Start a new clock, and new locks, for another test.");
        }
        advance(by);
    }

    @Override
    public Instant instant() {
        return start.plusNanos(time.nanos());
    }

    @Override
    public ZoneId getZone() {
        return zone;
    }

    /** The same clock, shown in another zone: advancing one advances the other. */
    @Override
    public Clock withZone(ZoneId other) {
        return new ManualClock(start, other, time);
    }

    Time time() {
        return time;
    }

    @Override
    public String toString() {
        return "ManualClock at " + instant();
    }

    /** What is told that time passes. */
    interface Participant {

        /** When something next falls due, on the clock of {@link Time#nanos}. */
        OptionalLong nextDue();

        /** Does what is due now. */
        void timeIs(long nanos);
    }

    /** The time that has passed since the start. */
    static final class Time {

        private final List<Participant> participants = new CopyOnWriteArrayList<>();
        private long nanos;

        synchronized long nanos() {
            return nanos;
        }

        void add(Participant participant) {
            participants.add(participant);
        }

        void remove(Participant participant) {
            participants.remove(participant);
        }

        /** Step by step, so that what is due sees the time at which it was; not under a lock, since it calls applications. */
        void advanceTo(long target) {
            long step;
            do {
                step = moveTo(Math.min(target, nextDue()));
                for (Participant participant : participants) {
                    participant.timeIs(step);
                }
            } while (step < target);
        }

        private long nextDue() {
            return participants.stream()
                    .flatMapToLong(participant -> participant.nextDue().stream())
                    .min()
                    .orElse(Long.MAX_VALUE);
        }

        private synchronized long moveTo(long step) {
            nanos = Math.max(nanos, step);
            return nanos;
        }
    }
}
