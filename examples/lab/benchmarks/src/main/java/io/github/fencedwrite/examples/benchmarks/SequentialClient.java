package io.github.fencedwrite.examples.benchmarks;

import io.github.fencedwrite.examples.servers.RedisNode;
import java.util.HexFormat;
import java.util.List;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.SetParams;

/** Redlock as articles show it: one node after the other, SET NX PX and a script that deletes one's own lock. No token. */
final class SequentialClient implements AutoCloseable {

    private static final String RELEASE =
            "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

    private final List<Jedis> connections;
    private final String releaseSha;
    private long attempts;

    SequentialClient(List<RedisNode> nodes) {
        connections =
                nodes.stream().map(node -> new Jedis(node.host(), node.port())).toList();
        releaseSha = connections.stream()
                .map(connection -> connection.scriptLoad(RELEASE))
                .toList()
                .get(0);
    }

    void acquireAndRelease() {
        String key = "sequential:resource-" + attempts++ % AgainstFloor.RESOURCES;
        String owner = HexFormat.of().toHexDigits(attempts);
        for (Jedis connection : connections) {
            if (connection.set(key, owner, SetParams.setParams().nx().px(10_000)) == null) {
                throw new IllegalStateException("Nobody else uses these locks, but one was taken");
            }
        }
        for (Jedis connection : connections) {
            connection.evalsha(releaseSha, 1, key, owner);
        }
    }

    @Override
    public void close() {
        connections.forEach(Jedis::close);
    }
}
