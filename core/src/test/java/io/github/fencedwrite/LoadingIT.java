package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.NodeFailure.Reason;
import io.github.fencedwrite.examples.servers.Data;
import io.github.fencedwrite.examples.servers.RedisNode;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Pipeline;

/** A node that has much to read after a restart. */
class LoadingIT {

    private static final Duration TTL = Duration.ofSeconds(20);
    private static final int KEYS = 20_000;

    @Test
    void aNodeThatStillReadsItsDataIsLoadingAndVotesAfterwards() throws InterruptedException {
        // 0.1 ms and what a sleep takes on top, for each key
        try (RedisNodes nodes = RedisNodes.start(1, "--key-load-delay", "100");
                FencedLocks locks = FencedLocks.builder()
                        .nodes(nodes.uris())
                        .quarantine(false)
                        .nodeTimeout(Duration.ofSeconds(2))
                        .build()) {
            RedisNode node = nodes.get(0);
            fill(node);
            FencingToken before = token(locks);
            Thread restart = new Thread(() -> node.restart(Data.KEPT));
            restart.start();
            await().atMost(Duration.ofSeconds(20)).until(() -> refusal(locks) == Reason.LOADING);
            restart.join();
            try (Lease lease = locks.acquire("r", TTL, TTL)) {
                assertThat(lease.token()).isGreaterThan(before);
            }
        }
    }

    private static void fill(RedisNode node) {
        Raw.on(node, jedis -> {
            Pipeline pipeline = jedis.pipelined();
            for (int i = 0; i < KEYS; i++) {
                pipeline.set("unrelated:" + i, "x");
            }
            pipeline.sync();
            return null;
        });
    }

    private static FencingToken token(FencedLocks locks) {
        try (Lease lease = locks.acquire("r", TTL, Duration.ZERO)) {
            return lease.token();
        }
    }

    private static Reason refusal(FencedLocks locks) {
        try {
            locks.acquire("r", TTL, Duration.ZERO).close();
            return null;
        } catch (LockNotAcquiredException e) {
            return e.nodeFailures().values().iterator().next().reason();
        }
    }
}
