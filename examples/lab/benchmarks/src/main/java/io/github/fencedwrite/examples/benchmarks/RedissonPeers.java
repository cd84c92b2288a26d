package io.github.fencedwrite.examples.benchmarks;

import io.github.fencedwrite.examples.benchmarks.Comparison.Pair;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.redisson.Redisson;
import org.redisson.RedissonRedLock;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Against the locks of Redisson, as its documentation sets them up. */
final class RedissonPeers {

    static final long TTL_SECONDS = 10;

    private RedissonPeers() {}

    static List<Comparison> comparisons() {
        return List.of(redLock(3), redLock(5), fenced(), plain());
    }

    private static Comparison redLock(int nodes) {
        return new Comparison(
                "redisson-redlock-n" + nodes,
                AgainstFloor.CYCLE,
                "Redisson RedLock, no token",
                Comparison.MICROS,
                0.3,
                stage -> {
                    RedisNodes redis = stage.redis(nodes);
                    List<RedissonClient> clients = clients(stage, redis);
                    return new Pair(
                            AgainstFloor.leases(stage.locks(redis.uris())),
                            Scenario.micros(AgainstFloor.inTurn(name -> {
                                RLock lock = redLock(clients, name);
                                requireLocked(lock.tryLock(0, TTL_SECONDS, TimeUnit.SECONDS));
                                lock.unlock();
                            })));
                });
    }

    private static Comparison fenced() {
        return new Comparison(
                "redisson-fenced-n1", AgainstFloor.CYCLE, "Redisson RFencedLock", Comparison.MICROS, 0.5, stage -> {
                    RedisNodes redis = stage.redis(1);
                    RedissonClient client = clients(stage, redis).get(0);
                    return new Pair(
                            AgainstFloor.leases(stage.locks(redis.uris())),
                            Scenario.micros(AgainstFloor.inTurn(name -> {
                                RFencedLock lock = client.getFencedLock(name);
                                requireLocked(lock.tryLockAndGetToken(0, TTL_SECONDS, TimeUnit.SECONDS) != null);
                                lock.unlock();
                            })));
                });
    }

    private static Comparison plain() {
        return new Comparison(
                "redisson-rlock-n1", AgainstFloor.CYCLE, "Redisson RLock, no token", Comparison.MICROS, 0.5, stage -> {
                    RedisNodes redis = stage.redis(1);
                    RedissonClient client = clients(stage, redis).get(0);
                    return new Pair(
                            AgainstFloor.leases(stage.locks(redis.uris())),
                            Scenario.micros(AgainstFloor.inTurn(name -> {
                                RLock lock = client.getLock(name);
                                requireLocked(lock.tryLock(0, TTL_SECONDS, TimeUnit.SECONDS));
                                lock.unlock();
                            })));
                });
    }

    /** One client per node, as RedLock wants it. */
    static List<RedissonClient> clients(Stage stage, RedisNodes redis) {
        List<RedissonClient> clients = new ArrayList<>();
        for (String uri : redis.uris()) {
            clients.add(client(stage, uri));
        }
        return clients;
    }

    static RedissonClient client(Stage stage, String uri) {
        Config config = new Config();
        config.useSingleServer().setAddress(uri);
        RedissonClient client = Redisson.create(config);
        stage.add(client::shutdown);
        return client;
    }

    @SuppressWarnings("deprecation") // deprecated or not, it is what a user of Redisson has for independent nodes
    static RLock redLock(List<RedissonClient> clients, String name) {
        Stream<RLock> locks = clients.stream().map(client -> client.getLock(name));
        return new RedissonRedLock(locks.toArray(RLock[]::new));
    }

    static void requireLocked(boolean locked) {
        if (!locked) {
            throw new IllegalStateException("Nobody else uses these locks, but one was taken");
        }
    }
}
