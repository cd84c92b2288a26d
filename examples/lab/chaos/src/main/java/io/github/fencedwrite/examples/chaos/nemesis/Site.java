package io.github.fencedwrite.examples.chaos.nemesis;

import io.github.fencedwrite.examples.servers.FakeTime;
import io.github.fencedwrite.examples.servers.Proxy;
import io.github.fencedwrite.examples.servers.RedisNode;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.util.Optional;
import redis.clients.jedis.Jedis;

/** One lock node, the proxy before it, through which all workers talk to it, and its clock. */
public final class Site implements AutoCloseable {

    private static final int FLUSH_TIMEOUT_MILLIS = 30_000;

    private final Optional<FakeTime> clock;
    private final RedisNodes group;
    private final Proxy proxy;

    private Site(Optional<FakeTime> clock, RedisNodes group) {
        this.clock = clock;
        this.group = group;
        this.proxy = Proxy.to(group.get(0));
    }

    /** Starts an empty node; with a clock that can jump if this machine has what it takes. */
    public static Site open() {
        Optional<FakeTime> clock = FakeTime.create();
        RedisNodes.Builder builder = RedisNodes.nodes(1).embedded(); // the library has to fit the process
        clock.ifPresent(time -> time.environment().forEach(builder::environment));
        return new Site(clock, builder.start());
    }

    /** What workers connect to. */
    public String uri() {
        return proxy.uri();
    }

    RedisNode node() {
        return group.get(0);
    }

    Proxy proxy() {
        return proxy;
    }

    Optional<FakeTime> clock() {
        return clock;
    }

    void flush() {
        try (Jedis jedis = new Jedis(node().host(), node().port(), FLUSH_TIMEOUT_MILLIS)) {
            jedis.flushAll();
        }
    }

    @Override
    public void close() {
        proxy.close();
        group.close();
        clock.ifPresent(FakeTime::close);
    }
}
