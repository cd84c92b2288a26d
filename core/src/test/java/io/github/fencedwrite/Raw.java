package io.github.fencedwrite;

import io.github.fencedwrite.examples.servers.RedisNode;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;

/** Looks at nodes, and spoils them, behind the library's back. */
final class Raw {

    private static final JedisClientConfig CONFIG = new JedisClientConfig() {

        // overrides a method that only Jedis 8 has
        @SuppressWarnings("unused")
        public boolean isAutoNegotiateProtocol() {
            return false;
        }
    };

    private Raw() {}

    static <T> T on(RedisNode node, Function<Jedis, T> work) {
        try (Jedis jedis = new Jedis(new HostAndPort(node.host(), node.port()), CONFIG)) {
            return work.apply(jedis);
        }
    }

    static <T> List<T> onAll(RedisNodes nodes, Function<Jedis, T> work) {
        List<T> answers = new ArrayList<>();
        nodes.all().forEach(node -> answers.add(on(node, work)));
        return answers;
    }

    static <T> List<T> onAll(TestNodes nodes, Function<Jedis, T> work) {
        return onAll(nodes.redis(), work);
    }

    static void flush(RedisNodes nodes) {
        onAll(nodes, Jedis::flushAll);
    }

    /** All keys but those that tell clients of each other. */
    static Set<String> keys(RedisNode node) {
        Set<String> keys = new HashSet<>(on(node, jedis -> jedis.keys("*")));
        keys.removeIf(key -> key.endsWith(":membership") || key.startsWith("fenced-write:server:"));
        return keys;
    }

    static String get(RedisNode node, String key) {
        return on(node, jedis -> jedis.get(key));
    }

    /** The lock keys on a node that answers. */
    static Set<String> locks(RedisNode node) {
        return on(node, jedis -> jedis.keys("*:lock"));
    }

    /** Sets a counter so that the node itself seems to have written it: no run id tells of a loss. */
    static void setCounter(RedisNode node, String resource, String counter) {
        on(node, jedis -> {
            String runId = jedis.info("server")
                    .lines()
                    .filter(line -> line.startsWith("run_id:"))
                    .findFirst()
                    .orElseThrow()
                    .substring("run_id:".length());
            jedis.set("fenced-write:" + resource + ":token", counter);
            return jedis.set("fenced-write:" + resource + ":run", runId);
        });
    }
}
