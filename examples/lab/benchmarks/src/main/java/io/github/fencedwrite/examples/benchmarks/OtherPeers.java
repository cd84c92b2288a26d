package io.github.fencedwrite.examples.benchmarks;

import io.github.fencedwrite.examples.benchmarks.Comparison.Pair;
import io.github.fencedwrite.examples.servers.RedisNodes;
import io.lettuce.core.RedisURI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingCluster;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

/** Against the articles' own client, Spring Integration, and a consensus system. */
final class OtherPeers {

    private OtherPeers() {}

    static List<Comparison> comparisons() {
        return List.of(sequential(), spring(), zooKeeper());
    }

    private static Comparison sequential() {
        return new Comparison(
                "sequential-n5",
                AgainstFloor.CYCLE,
                "one node after the other, no token",
                Comparison.MICROS,
                0.7,
                stage -> {
                    RedisNodes redis = stage.redis(5);
                    SequentialClient client = stage.add(new SequentialClient(redis.all()));
                    return new Pair(
                            AgainstFloor.leases(stage.locks(redis.uris())), Scenario.micros(client::acquireAndRelease));
                });
    }

    /** What no client of these scripts can get below by much, in the same weather. */
    static Comparison floorAgainstSequential() {
        return new Comparison(
                "sequential-n5-floor",
                "the floor of acquire-n5: the same scripts over bare connections",
                "one node after the other, no token",
                Comparison.MICROS,
                Comparison.NO_TARGET,
                stage -> {
                    RedisNodes redis = stage.redis(5);
                    BareConnections floor = stage.add(new BareConnections(redis.all()));
                    SequentialClient client = stage.add(new SequentialClient(redis.all()));
                    return new Pair(
                            Scenario.micros(floor::acquireAndRelease), Scenario.micros(client::acquireAndRelease));
                });
    }

    private static Comparison spring() {
        return new Comparison(
                "spring-integration-n1",
                AgainstFloor.CYCLE,
                "Spring Integration RedisLockRegistry, no token",
                Comparison.MICROS,
                Comparison.NO_TARGET,
                stage -> {
                    RedisNodes redis = stage.redis(1);
                    RedisURI uri = RedisURI.create(redis.uris().get(0));
                    LettuceConnectionFactory connections = new LettuceConnectionFactory(
                            new RedisStandaloneConfiguration(uri.getHost(), uri.getPort()));
                    connections.afterPropertiesSet();
                    connections.start();
                    stage.add(connections::destroy);
                    RedisLockRegistry registry = new RedisLockRegistry(connections, "spring", 10_000);
                    stage.add(registry::destroy);
                    return new Pair(
                            AgainstFloor.leases(stage.locks(redis.uris())),
                            Scenario.micros(AgainstFloor.inTurn(name -> {
                                Lock lock = registry.obtain(name);
                                RedissonPeers.requireLocked(lock.tryLock());
                                lock.unlock();
                            })));
                });
    }

    private static Comparison zooKeeper() {
        return new Comparison(
                "zookeeper-n3",
                AgainstFloor.CYCLE,
                "ZooKeeper through Curator's InterProcessMutex, three servers in this JVM",
                Comparison.MICROS,
                Comparison.NO_TARGET,
                stage -> {
                    TestingCluster ensemble = stage.add(new TestingCluster(3));
                    ensemble.start();
                    CuratorFramework client = stage.add(
                            CuratorFrameworkFactory.newClient(ensemble.getConnectString(), new RetryOneTime(1_000)));
                    client.start();
                    if (!client.blockUntilConnected(30, TimeUnit.SECONDS)) {
                        throw new IllegalStateException("ZooKeeper does not answer");
                    }
                    RedisNodes redis = stage.redis(3);
                    return new Pair(
                            AgainstFloor.leases(stage.locks(redis.uris())),
                            Scenario.micros(AgainstFloor.inTurn(name -> {
                                InterProcessMutex mutex = new InterProcessMutex(client, "/locks/" + name);
                                mutex.acquire();
                                mutex.release();
                            })));
                });
    }
}
