package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.examples.servers.Data;
import io.github.fencedwrite.examples.servers.Proxy;
import io.github.fencedwrite.examples.servers.RedisNode;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real servers whose wall clock jumps, so that their locks run out early: one and two of five. */
class NodeClockIT {

    private static final Duration TTL = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    private Path offset;
    private RedisNodes jumping;
    private RedisNodes steady;
    private List<RedisNode> all;

    @BeforeEach
    void start() throws IOException {
        String library = Tools.libfaketime().toString();
        offset = directory.resolve("offset");
        jump(Duration.ZERO);
        jumping = RedisNodes.nodes(2)
                .embedded()
                .environment("LD_PRELOAD", library)
                .environment("FAKETIME_TIMESTAMP_FILE", offset.toString())
                .environment("FAKETIME_NO_CACHE", "1")
                .environment("DONT_FAKE_MONOTONIC", "1")
                .start();
        steady = RedisNodes.nodes(4).embedded().start();
        all = new ArrayList<>(jumping.all());
        all.addAll(steady.all());
    }

    @AfterEach
    void stop() {
        if (jumping != null) {
            jumping.close();
        }
        if (steady != null) {
            steady.close();
        }
    }

    /** From now on the clocks of the jumping nodes are ahead by so much. */
    private void jump(Duration ahead) throws IOException {
        Path next = directory.resolve("next");
        Files.writeString(next, "+" + ahead.toSeconds() + "\n");
        Files.move(next, offset, StandardCopyOption.ATOMIC_MOVE);
    }

    private static Duration ahead(RedisNode node) {
        List<String> time = Raw.on(node, jedis -> jedis.time());
        return Duration.between(Instant.now(), Instant.ofEpochSecond(Long.parseLong(time.get(0))));
    }

    private FencedLocks client(List<RedisNode> nodes) {
        return FencedLocks.builder()
                .nodes(nodes.stream().map(RedisNode::uri).toList())
                .nodeTimeout(Duration.ofSeconds(1))
                .quarantine(false)
                .releaseOnClose(false)
                // whose clocks differ is what these tests are about
                .preflight(PreflightMode.OFF)
                .build();
    }

    @Test
    void aJumpOfOneOfFiveClocksMakesNoSecondHolder() throws IOException {
        List<RedisNode> five = List.of(all.get(0), all.get(2), all.get(3), all.get(4), all.get(5));
        try (FencedLocks a = client(five);
                FencedLocks b = client(five)) {
            Lease held = a.acquire("r", TTL, Duration.ZERO);
            locksAre(five, 5);
            jump(Duration.ofHours(1));
            await().until(() -> Raw.locks(five.get(0)).isEmpty());
            for (int i = 0; i < 20; i++) {
                assertThat(b.tryAcquire("r", TTL)).isEmpty();
            }
            assertThat(held.isValid()).isTrue();
            assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
            try (Lease next = b.acquire("r", TTL, TTL)) {
                assertThat(next.token()).isGreaterThan(held.token());
            }
            noLocksAreLeft(five);
        }
    }

    @Test
    void aJumpOfTwoOfFiveClocksMakesNoSecondHolderWhileTheOtherThreeHaveTheLock() throws IOException {
        List<RedisNode> five = all.subList(0, 5);
        try (FencedLocks a = client(five);
                FencedLocks b = client(five)) {
            Lease held = a.acquire("r", TTL, Duration.ZERO);
            locksAre(five, 5);
            jump(Duration.ofHours(1));
            await().until(() ->
                    Raw.locks(five.get(0)).isEmpty() && Raw.locks(five.get(1)).isEmpty());
            assertThatThrownBy(() -> b.acquire("r", TTL, Duration.ofSeconds(1)))
                    .isInstanceOf(LockNotAcquiredException.class);
            assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
            noLocksAreLeft(five);
        }
    }

    @Test
    void aJumpOfTwoOfTheThreeClocksThatHaveTheLockMakesTwoHoldersWithOrderedTokensAndNoKeyIsLeft() throws IOException {
        List<RedisNode> five = all.subList(0, 5);
        try (FencedLocks a = client(five);
                FencedLocks b = client(five)) {
            five.get(3).kill();
            five.get(4).kill();
            Duration ttl = Duration.ofSeconds(8);
            Lease first = a.acquire("r", ttl, TTL);
            locksAre(five.subList(0, 3), 3);
            // A's process hangs from here on: it brings no node up to its lock any more
            a.close();
            jump(Duration.ofHours(1));
            five.get(3).restart(Data.LOST);
            five.get(4).restart(Data.LOST);
            try (Lease second = b.acquire("r", ttl, TTL)) {
                assertThat(first.isValid()).as("both hold it").isTrue();
                assertThat(second.token().isNewerThan(first.token())).isTrue();
            }
            noLocksAreLeft(five);
        }
    }

    @Test
    void aJumpBackKeepsNoLockOfALeaseThatWasReleased() throws IOException {
        jump(Duration.ofHours(1));
        List<RedisNode> five = all.subList(0, 5);
        try (FencedLocks locks = client(five)) {
            Lease lease = locks.acquire("r", TTL, Duration.ZERO);
            locksAre(five, 5);
            jump(Duration.ZERO);
            await().until(() -> ahead(five.get(0)).toMinutes() == 0);
            lease.close();
            noLocksAreLeft(five);
        }
    }

    @Test
    void theClockOfANodeThatDiffersIsFoundAndADayOnMostNodesIsRefused() throws IOException {
        jump(Duration.ofMinutes(1));
        try (FencedLocks locks = client(jumping.all())) {
            locks.acquire("r", TTL, Duration.ZERO).close();
            assertThat(locks.preflight())
                    .filteredOn(finding -> finding.kind() == Finding.Kind.CLOCK)
                    .hasSize(2);
        }
        jump(Duration.ofHours(25));
        try (FencedLocks locks = client(jumping.all())) {
            assertThatThrownBy(() -> locks.acquire("r", TTL, TTL))
                    .isInstanceOfSatisfying(
                            LockNotAcquiredException.class,
                            e -> assertThat(e.reason()).isEqualTo(LockNotAcquiredException.Reason.MISCONFIGURED))
                    .hasMessageContaining("a day off");
        }
    }

    @Test
    void aRestartedNodeStaysInQuarantineByTheClientsClockThoughItsUptimeJumps() throws IOException {
        RedisNode node = all.get(0);
        Duration maxTtl = Duration.ofSeconds(3);
        try (Proxy proxy = Proxy.to(node);
                FencedLocks locks =
                        FencedLocks.builder().nodes(proxy.uri()).maxTtl(maxTtl).build()) {
            locks.acquire("r", maxTtl, TTL).close();
            proxy.refuse();
            node.restart(Data.KEPT);
            jump(Duration.ofSeconds(122));
            proxy.open();
            String info = Raw.on(node, jedis -> jedis.info("server"));
            assertThat(info).containsPattern("uptime_in_seconds:1[2-9][0-9]");
            await().atMost(Duration.ofSeconds(10)).until(() -> {
                try (Lease unexpected = locks.acquire("r", maxTtl, Duration.ZERO)) {
                    throw new AssertionError("voted with a new run id: " + unexpected);
                } catch (LockNotAcquiredException e) {
                    return e.nodeFailures().values().iterator().next().reason() == NodeFailure.Reason.QUARANTINED;
                }
            });
            locks.acquire("r", maxTtl, TTL).close();
        }
    }

    private static void locksAre(List<RedisNode> nodes, int count) {
        await().until(() ->
                nodes.stream().filter(node -> Raw.locks(node).size() == 1).count() == count);
    }

    private static void noLocksAreLeft(List<RedisNode> nodes) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> nodes.forEach(
                        node -> assertThat(Raw.locks(node)).as("%s", node).isEmpty()));
    }
}
