package io.github.fencedwrite.examples.benchmarks;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.examples.benchmarks.Comparison.Pair;
import io.github.fencedwrite.examples.servers.Proxy;
import io.github.fencedwrite.examples.servers.RedisNode;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.Jedis;

/** The same work where the network is slow or a node is mute. */
final class Weather {

    private Weather() {}

    static List<Comparison> comparisons() {
        return List.of(roundTrips(), oneMuteNode());
    }

    private static Comparison roundTrips() {
        return new Comparison(
                "rtt-1ms-n5",
                AgainstFloor.CYCLE + ", 1 ms each way, median",
                "one PING through the same proxies, median",
                Comparison.MICROS,
                2.5,
                stage -> {
                    List<Proxy> proxies = new ArrayList<>();
                    for (RedisNode node : stage.redis(5).all()) {
                        Proxy proxy = stage.add(Proxy.to(node));
                        proxy.delay(Duration.ofMillis(1));
                        proxies.add(proxy);
                    }
                    FencedLocks locks =
                            stage.locks(proxies.stream().map(Proxy::uri).toList());
                    List<Jedis> pings = new ArrayList<>();
                    for (Proxy proxy : proxies) {
                        pings.add(stage.add(new Jedis(proxy.host(), proxy.port())));
                    }
                    int[] next = new int[1];
                    return new Pair(
                            Scenario.percentileMicros(50, AgainstFloor.cycle(locks)),
                            Scenario.percentileMicros(
                                    50,
                                    () -> pings.get(next[0]++ % pings.size()).ping()));
                });
    }

    private static Comparison oneMuteNode() {
        return new Comparison(
                "one-mute-node-n5",
                AgainstFloor.CYCLE + ", 99th percentile, one of five nodes accepts and never answers",
                "the same with five healthy nodes",
                Comparison.MICROS,
                2,
                stage -> {
                    RedisNodes impaired = stage.redis(5);
                    RedisNodes healthy = stage.redis(5);
                    Pair pair = new Pair(
                            Scenario.percentileMicros(99, AgainstFloor.cycle(stage.locks(impaired.uris()))),
                            Scenario.percentileMicros(99, AgainstFloor.cycle(stage.locks(healthy.uris()))));
                    impaired.get(4).pause();
                    return pair;
                });
    }
}
