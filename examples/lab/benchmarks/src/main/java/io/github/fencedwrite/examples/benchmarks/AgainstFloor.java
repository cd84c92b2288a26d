package io.github.fencedwrite.examples.benchmarks;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.examples.benchmarks.Comparison.Pair;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.time.Duration;
import java.util.List;

/** What the library adds to its own scripts: acquire, mint and release on one thread, nobody in the way. */
final class AgainstFloor {

    static final String CYCLE = "acquire, mint, release";
    static final Duration TTL = Duration.ofSeconds(10);
    static final int RESOURCES = 64;

    private AgainstFloor() {}

    /** The largest first: one node is so little work that a fresh JVM takes long to compile all of it. */
    static List<Comparison> comparisons() {
        return List.of(acquire("acquire-n5", 5, 1.1), acquire("acquire-n3", 3, 1.1), acquire("acquire-n1", 1, 1.25));
    }

    static Comparison acquire(String name, int nodes, double atMost) {
        return new Comparison(
                name,
                CYCLE,
                "the same scripts over bare connections, write to all, then read all",
                Comparison.MICROS,
                atMost,
                stage -> {
                    RedisNodes redis = stage.redis(nodes);
                    BareConnections floor = stage.add(new BareConnections(redis.all()));
                    return new Pair(leases(stage.locks(redis.uris())), Scenario.micros(floor::acquireAndRelease));
                });
    }

    /** Acquires and releases one of a few resources after the other. */
    static Scenario leases(FencedLocks locks) {
        return Scenario.micros(cycle(locks));
    }

    static Scenario.Operation cycle(FencedLocks locks) {
        return inTurn(name -> locks.acquire(name, TTL, Duration.ZERO).close());
    }

    /** What is done with the lock of that name. */
    @FunctionalInterface
    interface Work {

        void on(String name) throws Exception;
    }

    /** Goes through the names of a few resources, so that no single key is hot. */
    static Scenario.Operation inTurn(Work work) {
        return new Scenario.Operation() {

            private int next;

            @Override
            public void run() throws Exception {
                work.on("resource-" + next++ % RESOURCES);
            }
        };
    }
}
