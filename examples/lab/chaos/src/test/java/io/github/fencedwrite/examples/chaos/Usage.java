package io.github.fencedwrite.examples.chaos;

import io.github.fencedwrite.examples.servers.PostgresDatabase;
import io.github.fencedwrite.examples.servers.RedisNode;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.lang.management.ManagementFactory;
import java.util.function.ToLongFunction;
import org.jdbi.v3.core.Jdbi;
import redis.clients.jedis.Jedis;

/** What is in use, in this process and on the servers; the look itself does not count. */
final class Usage {

    private final RedisNodes nodes;
    private final Jdbi jdbi;

    Usage(RedisNodes nodes, PostgresDatabase database) {
        this.nodes = nodes;
        this.jdbi = Jdbi.create(database.dataSource());
    }

    /** Threads of this project's clients and pools. */
    long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("fenced-write-")
                        && !thread.getName().startsWith("fenced-write-servers"))
                .count();
    }

    long redisConnections() {
        return sum(jedis -> jedis.clientList().lines().count() - 1);
    }

    long sessions() {
        return jdbi.withHandle(handle -> handle.select("SELECT count(*) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND pid <> pg_backend_pid()")
                .mapTo(Long.class)
                .one());
    }

    long keys() {
        return sum(Jedis::dbSize);
    }

    long locks() {
        return sum(jedis -> jedis.keys("*:lock").size());
    }

    /** Keys that would stay for ever, or for longer than {@code millis}. */
    long keysThatOutlive(long millis) {
        return sum(jedis -> jedis.keys("*").stream()
                .mapToLong(jedis::pttl)
                .filter(left -> left == -1 || left > millis)
                .count());
    }

    /** The heap in use after a collection, in bytes. */
    long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private long sum(ToLongFunction<Jedis> question) {
        long sum = 0;
        for (RedisNode node : nodes.all()) {
            try (Jedis jedis = new Jedis(node.host(), node.port(), 10_000)) {
                sum += question.applyAsLong(jedis);
            }
        }
        return sum;
    }
}
