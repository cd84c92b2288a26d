package io.github.fencedwrite.examples.benchmarks;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.examples.benchmarks.Comparison.Pair;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.time.Duration;
import java.util.List;

/** What the library adds to its own scripts: acquire, mint and release on one thread, nobody in the way. */
final class AgainstFloor {

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final int RESOURCES = 64;

    private AgainstFloor() {}

    static List<Comparison> comparisons() {
        return List.of(acquire(1, 1.25), acquire(3, 1.1), acquire(5, 1.1));
    }

    private static Comparison acquire(int nodes, double atMost) {
        return new Comparison(
                "acquire-n" + nodes,
                "acquire, mint, release",
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
        Scenario.Operation operation = new Scenario.Operation() {

            private int next;

            @Override
            public void run() {
                try (Lease lease = locks.acquire("resource-" + next++ % RESOURCES, TTL)) {
                    lease.token();
                }
            }
        };
        return Scenario.micros(operation);
    }
}
