package io.github.fencedwrite.internal.simulation;

import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;

/** Plays many schedules, each with a seed of its own. */
final class Campaign {

    private final Variant variant;
    private final LongAdder schedules = new LongAdder();
    private final LongAdder attempts = new LongAdder();
    private final LongAdder leases = new LongAdder();
    private final LongAdder slowLeases = new LongAdder();
    private final LongAdder extensions = new LongAdder();

    Campaign(Variant variant) {
        this.variant = variant;
    }

    /** Plays {@code count} schedules from {@code seed} on; the first one that breaks any promise, with its trace. */
    Optional<String> firstFault(long seed, long count) {
        return firstFault(seed, count, "");
    }

    /** As the other one, but only for faults whose text has {@code words}. */
    Optional<String> firstFault(long seed, long count, String words) {
        return LongStream.range(seed, seed + count)
                .parallel()
                .filter(one -> {
                    String fault = play(one);
                    return !fault.isEmpty() && fault.contains(words);
                })
                .mapToObj(Long::valueOf)
                .findFirst()
                .map(this::report);
    }

    private String play(long seed) {
        World world = new World(seed, variant, false);
        String fault = world.play();
        schedules.increment();
        attempts.add(world.exchanges.size());
        leases.add(world.checker.leases);
        slowLeases.add(world.checker.slowLeases);
        extensions.add(world.checker.extensions);
        return fault;
    }

    private String report(long seed) {
        World world = new World(seed, variant, true);
        String fault = world.play();
        return variant + ", schedule " + seed + ": " + fault + System.lineSeparator() + "Replay it with -Dseed=" + seed
                + " -Dschedules=1" + System.lineSeparator() + world.trace;
    }

    @Override
    public String toString() {
        return schedules + " schedules, " + attempts + " attempts, " + leases + " leases, " + slowLeases
                + " of them on the slow path, " + extensions + " extensions";
    }
}
