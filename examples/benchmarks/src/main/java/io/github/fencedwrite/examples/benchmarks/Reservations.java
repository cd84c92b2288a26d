package io.github.fencedwrite.examples.benchmarks;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.examples.benchmarks.Comparison.Pair;
import io.github.fencedwrite.examples.inventory.InventoryService;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** The example's whole reserve, lock and database together, against what one would build from other parts. */
final class Reservations {

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final String RESERVE = "the example's reserve: acquire, claim, write, release";

    private Reservations() {}

    static List<Comparison> comparisons() {
        return List.of(
                new Comparison(
                        "reserve-end-to-end",
                        RESERVE,
                        "Redisson's RFencedLock, read, guarded update by hand, unlock",
                        Comparison.MICROS,
                        0.6,
                        stage -> {
                            InventoryDatabase database = InventoryDatabase.open(stage);
                            RedisNodes redis = stage.redis(1);
                            RedissonClient redisson = redisson(redis);
                            stage.<AutoCloseable>add(redisson::shutdown);
                            return new Pair(reserve(stage, database, redis), rFencedLock(database, redisson));
                        }),
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

    private static Scenario reserve(Stage stage, InventoryDatabase database, RedisNodes redis) {
        InventoryService service = new InventoryService(
                stage.locks(redis.uris()), database.jdbi(), (row, quantity) -> true, TTL, Duration.ofSeconds(1));
        return Scenario.micros(() -> service.reserve(database.nextSku(), 1));
    }

    private static RedissonClient redisson(RedisNodes redis) {
        Config config = new Config();
        config.useSingleServer().setAddress(redis.uris().get(0));
        return Redisson.create(config);
    }

    private static Scenario rFencedLock(InventoryDatabase database, RedissonClient redisson) {
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
                int stock = writes.readOther(sku);
                if (writes.setOtherGuardedByHand(sku, stock - 1, FencingToken.of(token)) != 1) {
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
