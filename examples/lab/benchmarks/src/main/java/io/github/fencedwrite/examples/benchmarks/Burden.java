package io.github.fencedwrite.examples.benchmarks;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.LeaseRequest;
import io.github.fencedwrite.examples.benchmarks.Comparison.Pair;
import io.github.fencedwrite.examples.servers.RedisNode;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import redis.clients.jedis.Jedis;

/** What many leases cost that are only held, and what is left of them. */
final class Burden {

    private static final int LEASES = 10_000;
    private static final int RESOURCES = 100_000;
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration LIFETIME = Duration.ofMinutes(10);

    private Burden() {}

    static List<Comparison> comparisons() {
        return List.of(renewing(false), renewing(true), memory(), keysForEver());
    }

    private static Comparison renewing(boolean threads) {
        return new Comparison(
                threads ? "renewing-10k-leases-threads" : "renewing-10k-leases",
                "10,000 renewing leases with a ttl of 30 s on one node",
                "10,000 Redisson RLocks with its watchdog of 30 s",
                threads ? "threads of the client" : "ms of CPU per second, client and server",
                Comparison.NO_TARGET,
                stage -> {
                    RedisNodes redis = stage.redisProcesses(1);
                    FencedLocks locks = stage.locks(redis.uris());
                    RedissonClient client = RedissonPeers.clients(stage, redis).get(0);
                    return new Pair(
                            slice -> {
                                List<Lease> held = new ArrayList<>();
                                for (int i = 0; i < LEASES; i++) {
                                    held.add(locks.acquire(
                                            LeaseRequest.of("renewing-" + i, TTL)
                                                    .renewFor(LIFETIME),
                                            Duration.ZERO));
                                }
                                double figure = hold(threads ? "fenced-write" : null);
                                held.forEach(Lease::close);
                                return figure;
                            },
                            slice -> {
                                List<RLock> held = new ArrayList<>();
                                for (int i = 0; i < LEASES; i++) {
                                    RLock lock = client.getLock("renewing-" + i);
                                    RedissonPeers.requireLocked(lock.tryLock());
                                    held.add(lock);
                                }
                                double figure = hold(threads ? "redisson" : null);
                                held.forEach(RLock::unlock);
                                return figure;
                            });
                });
    }

    /** As long as both sides let pass between two renewals: a third of the ttl. */
    private static double hold(@Nullable String threadsNamed) throws InterruptedException {
        Duration holding = TTL.dividedBy(3);
        Duration before = Cpu.used();
        Thread.sleep(holding.toMillis()); // what is measured: the leases renew themselves meanwhile
        double cpuMillis = Cpu.used().minus(before).toNanos() / 1e6;
        return threadsNamed == null
                ? cpuMillis / (holding.toMillis() / 1_000.0)
                : Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().startsWith(threadsNamed))
                        .count();
    }

    private static Comparison memory() {
        return new Comparison(
                "redis-memory-100k-resources",
                "left by 100,000 resources, each locked and released once, on each node",
                "the same with Redisson RFencedLock",
                "bytes per resource",
                Comparison.NO_TARGET,
                stage -> new Pair(ours(stage, Burden::bytes), theirs(stage, Burden::bytes)));
    }

    private static Comparison keysForEver() {
        return new Comparison(
                "redis-keys-100k-resources",
                "keys without an expiry, so left after retention, of 100,000 resources locked and released once",
                "the same with Redisson RFencedLock",
                "keys",
                Comparison.NO_TARGET,
                stage -> new Pair(ours(stage, Burden::keysWithoutExpiry), theirs(stage, Burden::keysWithoutExpiry)));
    }

    /** Reads something off a node. */
    @FunctionalInterface
    private interface Gauge {

        double read(Jedis node);
    }

    private static Scenario ours(Stage stage, Gauge gauge) {
        RedisNodes redis = stage.redis(1);
        FencedLocks locks = stage.locks(redis.uris());
        return leftBy(
                stage,
                redis,
                gauge,
                name -> locks.acquire(name, TTL, Duration.ZERO).close());
    }

    private static Scenario theirs(Stage stage, Gauge gauge) {
        RedisNodes redis = stage.redis(1);
        RedissonClient client = RedissonPeers.clients(stage, redis).get(0);
        return leftBy(stage, redis, gauge, name -> {
            RFencedLock lock = client.getFencedLock(name);
            lock.lockAndGetToken();
            lock.unlock();
        });
    }

    private static Scenario leftBy(Stage stage, RedisNodes redis, Gauge gauge, AgainstFloor.Work work) {
        RedisNode node = redis.get(0);
        Jedis connection = stage.add(new Jedis(node.host(), node.port(), 60_000));
        return slice -> {
            connection.flushAll();
            double before = gauge.read(connection);
            for (int i = 0; i < RESOURCES; i++) {
                work.on("resource-" + i);
            }
            return gauge.read(connection) - before;
        };
    }

    private static double bytes(Jedis node) {
        return number(node.info("memory"), "used_memory:") / RESOURCES;
    }

    private static double keysWithoutExpiry(Jedis node) {
        String keyspace = node.info("keyspace");
        return keyspace.contains("keys=") ? number(keyspace, "keys=") - number(keyspace, "expires=") : 0;
    }

    private static double number(String info, String field) {
        String rest = info.substring(info.indexOf(field) + field.length());
        return Double.parseDouble(
                rest.substring(0, rest.length() - rest.replaceFirst("^\\d+", "").length()));
    }
}
