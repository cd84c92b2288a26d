package io.github.fencedwrite.internal.redis;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** The wall clock, which nothing but seeds depends on. */
public final class Clocks {

    private Clocks() {}

    /** Microseconds since 1970. */
    public static long wallMicros() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toMicros(now.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(now.getNano());
    }
}
