package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.examples.servers.RedisNodes;
import io.github.fencedwrite.internal.redis.ScriptNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A release must not overtake its own acquire, or the lock would be left without an owner. */
class OrderIT {

    private static final int OWNER = 6;
    private static final Duration TTL = Duration.ofSeconds(20);

    @Test
    void aReleaseIsWrittenBehindAnAcquireWhoseAnswerWasNotRead() throws InterruptedException, ExecutionException {
        List<LossyProxy> proxies = new ArrayList<>();
        try (RedisNodes nodes = RedisNodes.start(3)) {
            nodes.all().forEach(node -> proxies.add(new LossyProxy(node.host(), node.port())));
            try (FencedLocks locks = FencedLocks.builder()
                    .nodes(proxies.stream().map(LossyProxy::uri).toList())
                    .nodeTimeout(Duration.ofSeconds(5))
                    .quarantine(false)
                    .build()) {
                manyAtOnce(locks, "warm");
                LossyProxy slow = proxies.get(2);
                slow.delay(300);
                manyAtOnce(locks, "r");
                await().atMost(TTL).until(() -> Raw.locks(nodes.get(2)).isEmpty());
                assertThat(releasesOnAnotherConnection(slow.calls())).isEmpty();
            }
        } finally {
            proxies.forEach(LossyProxy::close);
        }
    }

    /** Several connections to each node, so that there is a choice. */
    private static void manyAtOnce(FencedLocks locks, String name) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(6);
        List<Future<?>> done = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            String resource = name + i;
            done.add(threads.submit(() -> locks.acquire(resource, TTL).close()));
        }
        for (Future<?> each : done) {
            each.get();
        }
        threads.shutdown();
    }

    private static List<String> releasesOnAnotherConnection(List<LossyProxy.Call> calls) {
        Map<String, Integer> acquiredOn = new HashMap<>();
        List<String> wrong = new ArrayList<>();
        int releases = 0;
        for (LossyProxy.Call call : calls) {
            boolean named =
                    call.command().size() > OWNER && call.command().get(3).contains(":r");
            if (named && ScriptNames.isCallOf("ACQUIRE", call.command())) {
                acquiredOn.put(call.command().get(OWNER), call.connection());
            } else if (named && ScriptNames.isCallOf("RELEASE", call.command())) {
                releases++;
                Integer acquired = acquiredOn.get(call.command().get(OWNER));
                if (acquired == null || acquired != call.connection()) {
                    wrong.add("release on " + call.connection() + ", acquire on " + acquired);
                }
            }
        }
        assertThat(releases).isGreaterThanOrEqualTo(24);
        return wrong;
    }
}
