package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.LossyProxy.Fault;
import io.github.fencedwrite.examples.servers.RedisNode;
import io.github.fencedwrite.examples.servers.RedisNodes;
import io.github.fencedwrite.internal.redis.ScriptNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One command or reply at a time is lost: there is no double grant, and no key is left on nodes that answer. */
class LostReplyIT {

    private static final Duration TTL = Duration.ofSeconds(5);
    private static RedisNodes nodes;
    private static List<LossyProxy> proxies;

    @BeforeAll
    static void start() {
        nodes = RedisNodes.start(3);
        proxies = new ArrayList<>();
        nodes.all().forEach(node -> proxies.add(new LossyProxy(node.host(), node.port())));
    }

    @AfterAll
    static void stop() {
        proxies.forEach(LossyProxy::close);
        nodes.close();
    }

    static Stream<Arguments> everyFaultOnEveryScript() {
        return ScriptNames.all().stream()
                .flatMap(script -> Stream.of(Fault.CUT_BEFORE, Fault.CUT_REPLY, Fault.MUTE)
                        .map(fault -> Arguments.of(script, fault, fault == Fault.MUTE ? 2 : 0)));
    }

    @ParameterizedTest(name = "{1} of {0} on node {2}")
    @MethodSource("everyFaultOnEveryScript")
    void aLostCommandOrReplyDoesNoHarm(String script, Fault fault, int node) {
        Raw.flush(nodes);
        // a name of its own, since the last commands of the case before may still be on their way
        String resource = script + "-" + fault;
        AtomicInteger extended = new AtomicInteger();
        try (FencedLocks a = client(extended);
                FencedLocks b = client(new AtomicInteger())) {
            arrange(script, resource, node);
            proxies.get(node).spoilNext(fault, command -> ScriptNames.isCallOf(script, command));

            Lease first = a.acquire(LeaseRequest.of(resource, Duration.ofMillis(900))
                    .waitAtMost(TTL)
                    .renewFor(Duration.ofSeconds(30)));
            proxies.forEach(proxy -> proxy.delay(0));
            noSecondHolder(first, b, resource);
            if (script.equals("TOP_UP")) {
                Raw.on(nodes.get(node), jedis -> jedis.del("fenced-write:" + resource + ":lock"));
            }
            await().atMost(TTL).until(() -> extended.get() >= 2);
            noSecondHolder(first, b, resource);
            assertThat(first.isValid()).isTrue();
            if (!script.equals("RELEASE")) {
                await().atMost(TTL).until(() -> proxies.get(node).hits() == 1);
            }
            first.close();

            assertThat(proxies.get(node).hits()).as("spoilt commands").isEqualTo(1);
            await().atMost(Duration.ofSeconds(2)).untilAsserted(() -> {
                for (RedisNode each : nodes.all()) {
                    assertThat(Raw.locks(each)).isEmpty();
                }
            });
            Lease second = b.acquire(resource, TTL, TTL);
            assertThat(second.token()).isGreaterThan(first.token());
            second.close();
        }
    }

    private static void noSecondHolder(Lease first, FencedLocks other, String resource) {
        try {
            Optional<Lease> second = other.tryAcquire(resource, TTL);
            assertThat(second.isPresent() && first.isValid()).isFalse();
        } catch (LockNotAcquiredException e) {
            // the fault hit this attempt
        }
    }

    /** Brings about that the script is used at all: a node that is behind needs a raise, or a lift if it answers late. */
    private static void arrange(String script, String resource, int node) {
        if (script.equals("RAISE") || script.equals("LIFT")) {
            Raw.on(nodes.get(node), jedis -> {
                String runId = jedis.info("server")
                        .lines()
                        .filter(line -> line.startsWith("run_id:"))
                        .findFirst()
                        .orElseThrow()
                        .substring("run_id:".length());
                jedis.set("fenced-write:" + resource + ":token", "5");
                return jedis.set("fenced-write:" + resource + ":run", runId);
            });
            int late = script.equals("LIFT") ? node : (node + 1) % 3;
            proxies.get(late).delay(250);
        }
    }

    @AfterEach
    void hurry() {
        proxies.forEach(proxy -> proxy.delay(0));
    }

    private static FencedLocks client(AtomicInteger extended) {
        return FencedLocks.builder()
                .nodes(proxies.stream().map(LossyProxy::uri).toList())
                .nodeTimeout(Duration.ofSeconds(1))
                .quarantine(false)
                .preflight(PreflightMode.OFF)
                .listener(new LeaseListener() {
                    @Override
                    public void extended(Lease lease) {
                        extended.incrementAndGet();
                    }
                })
                .build();
    }
}
