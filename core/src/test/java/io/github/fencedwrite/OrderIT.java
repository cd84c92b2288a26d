package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.examples.servers.Proxy;
import io.github.fencedwrite.examples.servers.ProxyCommand;
import io.github.fencedwrite.internal.redis.ScriptNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A release must not overtake its own acquire, or the lock would be left without an owner. */
class OrderIT {

    private static final Duration TTL = Duration.ofSeconds(20);

    @RegisterExtension
    static final TestNodes nodes = new TestNodes(3);

    @Test
    void aReleaseIsWrittenBehindAnAcquireWhoseAnswerWasNotRead() throws InterruptedException, ExecutionException {
        Queue<ProxyCommand> seen = new ConcurrentLinkedQueue<>();
        try (Proxy slow = Proxy.to(nodes.get(2));
                FencedLocks locks = nodes.builder()
                        .nodes(nodes.uris().get(0), nodes.uris().get(1), slow.uri())
                        .nodeTimeout(Duration.ofSeconds(5))
                        .build()) {
            manyAtOnce(locks, "warm");
            slow.watch(seen::add);
            slow.delay(Duration.ZERO, Duration.ofMillis(300));
            manyAtOnce(locks, "r");
            nodes.awaitNoLocks();
            assertThat(releasesOnAnotherConnection(seen)).isEmpty();
        }
    }

    /** Several connections to each node, so that there is a choice. */
    private static void manyAtOnce(FencedLocks locks, String name) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(6);
        List<Future<?>> done = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            String resource = name + i;
            done.add(threads.submit(
                    () -> locks.acquire(resource, TTL, Duration.ZERO).close()));
        }
        for (Future<?> each : done) {
            each.get();
        }
        threads.shutdown();
    }

    private static List<String> releasesOnAnotherConnection(Iterable<ProxyCommand> commands) {
        Map<String, Long> acquiredOn = new HashMap<>();
        List<String> wrong = new ArrayList<>();
        int releases = 0;
        for (ProxyCommand command : commands) {
            List<String> words = command.words();
            if (words.size() < 4 || !words.get(3).contains(":r")) {
                continue;
            }
            if (ScriptNames.isCallOf("ACQUIRE", words)) {
                acquiredOn.put(ScriptNames.ownerIn(words), command.connection());
            } else if (ScriptNames.isCallOf("RELEASE", words)) {
                releases++;
                Long acquired = acquiredOn.get(ScriptNames.ownerIn(words));
                if (acquired == null || acquired != command.connection()) {
                    wrong.add("release on " + command.connection() + ", acquire on " + acquired);
                }
            }
        }
        assertThat(releases).isGreaterThanOrEqualTo(24);
        return wrong;
    }
}
