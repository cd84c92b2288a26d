package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.SeedMode;
import io.github.fencedwrite.internal.redis.Clocks;
import io.github.fencedwrite.internal.redis.Node;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Decides where a forgotten counter starts again, and whether this client's clock can be trusted with it. */
final class CounterSeeds {

    private static final long YEAR_2020 = 1_577_836_800_000_000L;
    private static final long DAY = TimeUnit.DAYS.toMicros(1);

    private final SeedMode mode;
    private final LongSupplier wallMicros;
    private final List<LongSupplier> aheadMicros;

    CounterSeeds(SeedMode mode, List<Node> nodes) {
        this(
                mode,
                Clocks::wallMicros,
                nodes.stream().<LongSupplier>map(node -> node::clockAheadMicros).toList());
    }

    /** With this client's wall clock, and for each node how far its own is ahead. */
    CounterSeeds(SeedMode mode, LongSupplier wallMicros, List<LongSupplier> aheadMicros) {
        this.mode = mode;
        this.wallMicros = wallMicros;
        this.aheadMicros = aheadMicros;
    }

    /** The seed of an attempt that begins now. */
    long next() {
        return mode == SeedMode.ZERO ? 0 : wallMicros.getAsLong();
    }

    /** What is wrong with this client's clock, or null. A single node whose clock is off says nothing about the client's. */
    @Nullable String objection() {
        if (mode == SeedMode.ZERO) {
            return null;
        }
        if (wallMicros.getAsLong() < YEAR_2020) {
            return "this machine's clock stands before 2020, and tokens start from it. Set the clock.";
        }
        int off = 0;
        long most = 0;
        for (LongSupplier node : aheadMicros) {
            long ahead = node.getAsLong();
            if (Math.abs(ahead) > DAY) {
                off++;
                most = Math.abs(ahead) > Math.abs(most) ? ahead : most;
            }
        }
        return off <= aheadMicros.size() / 2
                ? null
                : "this machine's clock is more than a day off the clocks of " + off + " nodes ("
                        + TimeUnit.MICROSECONDS.toHours(most)
                        + " h at most), and tokens start from it. Set the clocks.";
    }
}
