package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.SeedMode;
import io.github.fencedwrite.internal.redis.Clocks;
import io.github.fencedwrite.internal.redis.Node;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Decides where a forgotten counter starts again, and whether this client's clock can be trusted with it. */
final class Seeds {

    private static final long YEAR_2020 = 1_577_836_800_000_000L;
    private static final long DAY = TimeUnit.DAYS.toMicros(1);

    private final SeedMode mode;
    private final List<Node> nodes;

    Seeds(SeedMode mode, List<Node> nodes) {
        this.mode = mode;
        this.nodes = nodes;
    }

    /** The seed of an attempt that begins now. */
    long next() {
        return mode == SeedMode.ZERO ? 0 : Clocks.wallMicros();
    }

    /** What is wrong with this client's clock, or null. A single node whose clock is off says nothing about the client's. */
    @Nullable String objection() {
        if (mode == SeedMode.ZERO) {
            return null;
        }
        if (Clocks.wallMicros() < YEAR_2020) {
            return "this machine's clock stands before 2020, and tokens start from it. Set the clock.";
        }
        int off = 0;
        long most = 0;
        for (Node node : nodes) {
            long ahead = node.clockAheadMicros();
            if (Math.abs(ahead) > DAY) {
                off++;
                most = Math.abs(ahead) > Math.abs(most) ? ahead : most;
            }
        }
        return off <= nodes.size() / 2
                ? null
                : "this machine's clock is more than a day off the clocks of " + off + " nodes ("
                        + TimeUnit.MICROSECONDS.toHours(most)
                        + " h at most), and tokens start from it. Set the clocks.";
    }
}
