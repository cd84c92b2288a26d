package io.github.fencedwrite.examples.benchmarks;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.examples.benchmarks.Comparison.Pair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How the cost grows with nodes and with threads. */
final class Scaling {

    static final String PREFIX = "scaling-";

    private static final List<Integer> NODES = List.of(1, 3, 5, 7, 9);
    private static final List<Integer> THREADS = List.of(1, 2, 4, 8, 16, 32, 64);

    private Scaling() {}

    static List<Comparison> comparisons() {
        List<Comparison> all = new ArrayList<>();
        NODES.forEach(nodes -> all.add(AgainstFloor.acquire(PREFIX + "n" + nodes, nodes, Comparison.NO_TARGET)));
        THREADS.forEach(threads -> all.add(threads(threads)));
        return all;
    }

    private static Comparison threads(int threads) {
        return new Comparison(
                PREFIX + "t" + threads,
                AgainstFloor.CYCLE + " on three nodes, per operation, threads on resources of their own: " + threads,
                "the same on one thread",
                Comparison.MICROS,
                Comparison.NO_TARGET,
                stage -> {
                    FencedLocks locks = stage.locks(stage.redis(3).uris());
                    Crowd many = stage.add(new Crowd(threads));
                    Crowd one = stage.add(new Crowd(1));
                    Crowd.Work work = thread -> locks.acquire("resource-" + thread, AgainstFloor.TTL, Duration.ZERO)
                            .close();
                    return new Pair(
                            Contention.perOperation(many, false, work), Contention.perOperation(one, false, work));
                });
    }
}
