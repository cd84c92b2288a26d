package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.examples.servers.CommandFault;
import io.github.fencedwrite.examples.servers.Proxy;
import io.github.fencedwrite.examples.servers.ReplyFault;
import io.github.fencedwrite.internal.redis.ScriptNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One command or reply at a time is lost: of each script, in each way, and of what opens a connection. There is no double
 * grant, and no key is left on nodes that answer.
 */
class LostReplyIT {

    private static final Duration TTL = Duration.ofSeconds(5);

    @RegisterExtension
    static final TestNodes nodes = new TestNodes(3);

    private final List<Proxy> proxies = new ArrayList<>();

    @BeforeEach
    void start() {
        nodes.all().forEach(node -> proxies.add(Proxy.to(node)));
    }

    @AfterEach
    void stop() {
        proxies.forEach(Proxy::close);
    }

    static Stream<Enum<?>> faults() {
        return Stream.concat(Stream.of(CommandFault.values()), Stream.of(ReplyFault.values()));
    }

    /** The nodes take turns, so that each meets each fault and each script. */
    static Stream<Arguments> everyFaultOfEveryScript() {
        AtomicInteger next = new AtomicInteger();
        return ScriptNames.all().stream()
                .flatMap(script -> faults().map(fault -> Arguments.of(script, fault, next.getAndIncrement() % 3)));
    }

    @ParameterizedTest(name = "{1} of {0} on node {2}")
    @MethodSource("everyFaultOfEveryScript")
    void aLostCommandOrReplyDoesNoHarm(String script, Enum<?> fault, int node) {
        // a name of its own, since the last commands of the case before may still be on their way
        String resource = script + "-" + fault;
        AtomicInteger extended = new AtomicInteger();
        try (FencedLocks a = client(extended);
                FencedLocks b = client(new AtomicInteger())) {
            arrange(script, resource, node);
            spoil(proxies.get(node), fault, script);

            Lease first =
                    a.acquire(LeaseRequest.of(resource, Duration.ofMillis(900)).renewFor(Duration.ofSeconds(30)), TTL);
            proxies.forEach(proxy -> proxy.delay(Duration.ZERO));
            noSecondHolder(first, b, resource);
            if (script.equals("TOP_UP")) {
                Raw.on(nodes.get(node), jedis -> jedis.del("fenced-write:" + resource + ":lock"));
            }
            if (!script.equals("RELEASE")) {
                await().atMost(TTL).until(() -> happened(node));
            }
            if (Set.of("EXTEND", "TOP_UP").contains(script)) {
                int before = extended.get();
                await().atMost(TTL).until(() -> extended.get() > before);
            }
            noSecondHolder(first, b, resource);
            assertThat(first.isValid()).isTrue();
            first.close();

            await().atMost(TTL).until(() -> happened(node));
            nodes.awaitNoLocks();
            Lease second = b.acquire(resource, TTL, TTL);
            assertThat(second.token()).isGreaterThan(first.token());
            second.close();
        }
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aLostCommandOrReplyWhileAConnectionIsOpenedCostsOneVoteAndIsTriedAgain(Enum<?> fault) {
        for (String command : List.of("INFO", "TIME", "SCRIPT", "SET", "GET")) {
            Proxy proxy = proxies.get(1);
            // as at the very first start, so that the membership is written, too
            Raw.onAll(nodes, jedis -> jedis.del("fenced-write:membership"));
            long before = proxy.counters().faults();
            if (fault instanceof CommandFault how) {
                proxy.failCommand(words -> words.get(0).equals(command), how);
            } else {
                proxy.failReply(words -> words.get(0).equals(command), (ReplyFault) fault);
            }
            try (FencedLocks locks = client(new AtomicInteger())) {
                locks.acquire("r", TTL, TTL).close();
                await().atMost(TTL)
                        .untilAsserted(() -> assertThat(proxy.counters().faults() - before)
                                .as(command)
                                .isEqualTo(1));
                await().atMost(TTL).until(() -> locks.nodeStatuses().get(1).up());
            }
        }
        nodes.awaitNoLocks();
    }

    private static void spoil(Proxy proxy, Enum<?> fault, String script) {
        if (fault instanceof CommandFault how) {
            proxy.failCommand(words -> ScriptNames.isCallOf(script, words), how);
        } else {
            proxy.failReply(words -> ScriptNames.isCallOf(script, words), (ReplyFault) fault);
        }
    }

    private boolean happened(int node) {
        return proxies.get(node).counters().faults() == 1;
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
    private void arrange(String script, String resource, int node) {
        if (script.equals("RAISE") || script.equals("LIFT")) {
            Raw.setCounter(nodes.get(node), resource, "5");
            int late = script.equals("LIFT") ? node : (node + 1) % 3;
            proxies.get(late).delay(Duration.ZERO, Duration.ofMillis(250));
        }
    }

    private FencedLocks client(AtomicInteger extended) {
        return nodes.builder()
                .nodes(proxies.stream().map(Proxy::uri).toList())
                .nodeTimeout(Duration.ofSeconds(1))
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
