package io.github.fencedwrite.examples.benchmarks;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.examples.servers.RedisNodes;
import io.github.fencedwrite.examples.servers.ServerKind;
import io.github.fencedwrite.examples.servers.Servers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The servers and clients of one comparison; closed in the opposite order. Not thread safe. */
final class Stage implements AutoCloseable {

    private final Deque<AutoCloseable> resources = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T resource) {
        resources.addFirst(resource);
        return resource;
    }

    /** Independent nodes that keep nothing on a disk: where the server does less, a client's own cost shows more. */
    RedisNodes redis(int count) {
        boolean given = Servers.redis() == ServerKind.GIVEN;
        return add(given ? RedisNodes.start(count) : RedisNodes.start(count, "--appendonly", "no"));
    }

    /** Nodes that are processes of this machine whatever was asked for, so that their CPU time can be told. */
    RedisNodes redisProcesses(int count) {
        return add(RedisNodes.nodes(count)
                .settings("--appendonly", "no")
                .embedded()
                .start());
    }

    /** A client of these nodes as people would configure it; nodes that were started here need no quarantine. */
    FencedLocks locks(List<String> uris) {
        return add(FencedLocks.builder()
                .nodes(uris)
                .quarantine(Servers.redis() == ServerKind.GIVEN)
                .build());
    }

    @Override
    public void close() throws Exception {
        Exception first = null;
        for (AutoCloseable resource : resources) {
            try {
                resource.close();
            } catch (Exception e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
