package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.LockNotAcquiredException.Reason;
import io.github.fencedwrite.examples.servers.Proxy;
import io.github.fencedwrite.internal.redis.ScriptNames;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.params.SetParams;

/** How often an acquisition tries, as the second of three nodes sees it. */
class AttemptsIT {

    private static final Duration TTL = Duration.ofSeconds(20);
    private static final String LOCK = "fenced-write:r:lock";

    @RegisterExtension
    final TestNodes nodes = new TestNodes(3);

    private final Queue<String> owners = new ConcurrentLinkedQueue<>();
    private Proxy proxy;
    private FencedLocks locks;

    @BeforeEach
    void connect() {
        proxy = Proxy.to(nodes.get(1));
        locks = nodes.builder()
                .nodes(nodes.uris().get(0), proxy.uri(), nodes.uris().get(2))
                .nodeTimeout(Duration.ofSeconds(2))
                .preflight(PreflightMode.OFF)
                .build();
        locks.acquire("warm", TTL, Duration.ZERO).close();
        proxy.watch(command -> {
            if (ScriptNames.isCallOf("ACQUIRE", command.words())) {
                owners.add(ScriptNames.ownerIn(command.words()));
            } else if (ScriptNames.isCallOf("RAISE", command.words())) {
                // another client gets in between: its lock ran out, so to speak, and this one's went with it
                Raw.on(nodes.get(1), jedis -> jedis.del(LOCK));
            }
        });
    }

    @AfterEach
    void close() {
        locks.close();
        proxy.close();
    }

    @Test
    void withoutAWaitThereIsExactlyOneAttemptEvenIfOthersGetInBetween() {
        letOthersGetInBetween();
        assertThatThrownBy(() -> locks.acquire("r", TTL, Duration.ZERO))
                .isInstanceOfSatisfying(
                        LockNotAcquiredException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.CONTENDED))
                .hasMessageContaining("got in between");
        assertThat(owners).hasSize(1);
        Raw.on(nodes.get(2), jedis -> jedis.del(LOCK));
        nodes.awaitNoLocks();
    }

    @Test
    void withAWaitAnAttemptThatOthersGotInBetweenOfIsRepeatedWithANewOwnerIdOf128Bits() {
        letOthersGetInBetween();
        assertThatThrownBy(() -> locks.acquire("r", TTL, Duration.ofMillis(700)))
                .isInstanceOf(LockNotAcquiredException.class);
        assertThat(owners)
                .hasSizeGreaterThan(2)
                .doesNotHaveDuplicates()
                .allSatisfy(owner -> assertThat(owner).matches("[0-9a-f]{32}"));
        Raw.on(nodes.get(2), jedis -> jedis.del(LOCK));
        nodes.awaitNoLocks();
    }

    /** The first node is ahead, so that the second has to be raised, and the third belongs to somebody else. */
    private void letOthersGetInBetween() {
        Raw.setCounter(nodes.get(0), "r", "8000000000000000");
        Raw.on(
                nodes.get(2),
                jedis -> jedis.set(LOCK, "other", SetParams.setParams().px(60_000)));
    }
}
