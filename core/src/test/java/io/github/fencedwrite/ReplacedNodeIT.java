package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.Jedis;

/** A server that was put in a node's place, flushed or restored does not vote, however long it has been up. */
class ReplacedNodeIT {

    private static final Duration MAX_TTL = Duration.ofSeconds(3);

    @RegisterExtension
    static final TestNodes nodes = new TestNodes(3);

    @BeforeEach
    void allNodesAreUpForLongAndKnowTheirClients() {
        try (FencedLocks first = client()) {
            first.acquire("r", MAX_TTL, Duration.ofSeconds(20)).close();
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> quarantined(first, 2).isZero());
            awaitMembership();
        }
        try (FencedLocks second = client()) {
            assertThat(quarantined(second, 2)).isZero();
        }
    }

    @Test
    void aServerThatKnowsNothingOfUsIsInQuarantineForANewClientAndARunningOneAndKnownAgainAfterwards() {
        try (FencedLocks running = client()) {
            Raw.on(nodes.get(2), Jedis::flushAll);
            try (FencedLocks built = client()) {
                assertThat(quarantined(built, 2)).isGreaterThan(Duration.ofSeconds(2));
                assertThat((boolean) Raw.on(nodes.get(2), jedis -> jedis.exists("fenced-write:membership")))
                        .as("whoever comes next has to see it, too")
                        .isFalse();
            }
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> !quarantined(running, 2).isZero());
            awaitMembership();
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> quarantined(running, 2).isZero());
        }
    }

    @Test
    void whereNoNodeKnowsUsNoLockCanHaveBeenLost() {
        nodes.all().forEach(node -> Raw.on(node, Jedis::flushAll));
        try (FencedLocks locks = client()) {
            assertThat(quarantined(locks, 0)).isZero();
            assertThat(quarantined(locks, 2)).isZero();
            awaitMembership();
        }
    }

    @Test
    void aServerThatAnotherOneStoodInForIsInQuarantineWhateverItsUptime() {
        Raw.on(nodes.get(0), jedis -> jedis.set(serverKey(), "another-run-id first"));
        try (FencedLocks locks = client()) {
            assertThat(quarantined(locks, 2)).isGreaterThan(Duration.ofSeconds(2));
            await().until(() -> Raw.get(nodes.get(0), serverKey()).endsWith(" changed"));
        }
        try (FencedLocks next = client()) {
            assertThat(quarantined(next, 2))
                    .as("another client has met it lately")
                    .isGreaterThan(Duration.ZERO);
        }
    }

    private static void awaitMembership() {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> Raw.onAll(nodes, jedis -> jedis.exists("fenced-write:membership")).stream()
                        .allMatch(there -> there));
        await().atMost(Duration.ofSeconds(20)).until(() -> Raw.on(nodes.get(0), jedis -> jedis.exists(serverKey())));
    }

    private static String serverKey() {
        return "fenced-write:server:" + nodes.name(2);
    }

    private static Duration quarantined(FencedLocks locks, int node) {
        return locks.nodeStatuses().get(node).quarantinedFor();
    }

    private static FencedLocks client() {
        return nodes.builder().quarantine(true).maxTtl(MAX_TTL).build();
    }
}
