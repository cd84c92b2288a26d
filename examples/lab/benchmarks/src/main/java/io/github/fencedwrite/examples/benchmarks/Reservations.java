package io.github.fencedwrite.examples.benchmarks;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.examples.benchmarks.Comparison.Pair;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A whole reservation, lock and database together, against what one would build from other parts. */
final class Reservations {

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final String RESERVE = "reserve: acquire, claim, write, release";

    private Reservations() {}

    static List<Comparison> comparisons() {
        return List.of(
                againstRFencedLock(
                        "reserve-end-to-end",
                        "Redisson's RFencedLock, claim and write by hand, unlock",
                        0.6,
                        Reservations::claimAndWriteByHand),
                againstRFencedLock(
                        "reserve-end-to-end-unclaimed",
                        "Redisson's RFencedLock, read, guarded update by hand, unlock: can lose an update",
                        Comparison.NO_TARGET,
                        Reservations::readAndWriteByHand),
                new Comparison(
                        "reserve-end-to-end-for-update",
                        RESERVE,
                        "SELECT FOR UPDATE, update, commit; no lock but the row's",
                        Comparison.MICROS,
                        Comparison.NO_TARGET,
                        stage -> {
                            InventoryDatabase database = InventoryDatabase.open(stage);
                            return new Pair(reserve(stage, database, stage.redis(1)), forUpdate(database));
                        }));
    }

    /** What is done between lock and unlock, by hand; whether it was done. */
    @FunctionalInterface
    private interface Work {

        boolean on(InventoryWrites writes, String sku, FencingToken token);
    }

    private static Comparison againstRFencedLock(String name, String b, double atMost, Work work) {
        return new Comparison(name, RESERVE, b, Comparison.MICROS, atMost, stage -> {
            InventoryDatabase database = InventoryDatabase.open(stage);
            RedisNodes redis = stage.redis(1);
            RedissonClient redisson = redisson(redis);
            stage.<AutoCloseable>add(redisson::shutdown);
            return new Pair(reserve(stage, database, redis), rFencedLock(database, redisson, work));
        });
    }

    private static boolean claimAndWriteByHand(InventoryWrites writes, String sku, FencingToken token) {
        return writes.setOtherClaimedByHand(sku, writes.claimOtherByHand(sku, token) - 1, token) == 1;
    }

    private static boolean readAndWriteByHand(InventoryWrites writes, String sku, FencingToken token) {
        return writes.setOtherGuardedByHand(sku, writes.readOther(sku) - 1, token) == 1;
    }

    private static Scenario reserve(Stage stage, InventoryDatabase database, RedisNodes redis) {
        FencedLocks locks = stage.locks(redis.uris());
        InventoryWrites writes = database.jdbi().onDemand(InventoryWrites.class);
        return Scenario.micros(() -> {
            String sku = database.nextSku();
            try (Lease lease = locks.acquire("sku:" + sku, TTL, Duration.ofSeconds(1))) {
                int stock = writes.claim(sku, lease.token());
                writes.setClaimed(sku, stock - 1, lease.token());
            }
        });
    }

    private static RedissonClient redisson(RedisNodes redis) {
        Config config = new Config();
        config.useSingleServer().setAddress(redis.uris().get(0));
        return Redisson.create(config);
    }

    private static Scenario rFencedLock(InventoryDatabase database, RedissonClient redisson, Work work) {
        // Redisson's tokens begin at 1, so they need rows of their own
        InventoryWrites writes = database.jdbi().onDemand(InventoryWrites.class);
        return Scenario.micros(() -> {
            String sku = database.nextSku();
            RFencedLock lock = redisson.getFencedLock("sku:" + sku);
            Long token = lock.tryLockAndGetToken(1_000, TTL.toMillis(), TimeUnit.MILLISECONDS);
            if (token == null) {
                throw new IllegalStateException("Nobody else locks " + sku);
            }
            try {
                if (!work.on(writes, sku, FencingToken.of(token))) {
                    throw new IllegalStateException("Token " + token + " of " + sku + " is stale");
                }
            } finally {
                lock.unlock();
            }
        });
    }

    private static Scenario forUpdate(InventoryDatabase database) {
        return Scenario.micros(() -> {
            String sku = database.nextSku();
            database.jdbi().useTransaction(handle -> {
                InventoryWrites writes = handle.attach(InventoryWrites.class);
                writes.set(sku, writes.lock(sku) - 1);
            });
        });
    }
}
