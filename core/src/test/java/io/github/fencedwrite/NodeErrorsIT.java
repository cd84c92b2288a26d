package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.NodeFailure.Reason;
import io.github.fencedwrite.examples.servers.RedisNode;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisException;

/** What nodes may answer instead of an answer: each has its own reason, and nothing is held afterwards. */
class NodeErrorsIT {

    private static final Duration TTL = Duration.ofSeconds(20);

    @RegisterExtension
    final TestNodes nodes = new TestNodes(1);

    private FencedLocks locks;

    @BeforeEach
    void connect() {
        locks = client();
    }

    @AfterEach
    void close() {
        locks.close();
    }

    private FencedLocks client() {
        return nodes.builder().preflight(PreflightMode.OFF).build();
    }

    private void fails(Reason reason) {
        assertThatThrownBy(() -> locks.acquire("r", TTL, Duration.ZERO))
                .isInstanceOfSatisfying(LockNotAcquiredException.class, e -> {
                    assertThat(e.reason()).isEqualTo(LockNotAcquiredException.Reason.NO_QUORUM);
                    assertThat(e.nodeFailures().values())
                            .extracting(NodeFailure::reason)
                            .containsExactly(reason);
                });
    }

    private RedisNode node() {
        return nodes.get(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "abc",
                "",
                " 7",
                "1e5",
                "0x10",
                "-3",
                "1.5",
                "9007199254740991",
                "9007199254740992",
                "9223372036854775807",
                "99999999999999999999999"
            })
    void aCorruptOrOverflowingCounterIsRefusedBeforeAnythingIsHeld(String counter) {
        Raw.on(node(), jedis -> jedis.set("fenced-write:r:token", counter));
        fails(Reason.CORRUPT);
        assertThat(Raw.locks(node())).isEmpty();
        assertThat(Raw.get(node(), "fenced-write:r:token")).isEqualTo(counter);
    }

    @Test
    void aCounterOfAnotherTypeIsRefusedBeforeAnythingIsHeld() {
        Raw.on(node(), jedis -> jedis.lpush("fenced-write:r:token", "x"));
        fails(Reason.CORRUPT);
        assertThat(Raw.locks(node())).isEmpty();
    }

    @Test
    void aForeignLockKeyWithoutExpiryIsReportedAndNotWaitedForInVain() {
        Raw.on(node(), jedis -> jedis.set("fenced-write:r:lock", "not ours"));
        assertThatThrownBy(() -> locks.acquire("r", TTL, Duration.ZERO)).hasMessageContaining("no expiry");
        assertThat(Raw.get(node(), "fenced-write:r:lock")).isEqualTo("not ours");
    }

    @Test
    void aFullNodeIsOom() {
        Raw.on(node(), jedis -> jedis.configSet("maxmemory", "1"));
        fails(Reason.OOM);
        Raw.on(node(), jedis -> jedis.configSet("maxmemory", "0"));
        locks.acquire("r", TTL, Duration.ZERO).close();
    }

    @Test
    void aLeaseOnAFullNodeCanStillBeReleased() {
        Lease lease = locks.acquire("r", TTL, Duration.ZERO);
        Raw.on(node(), jedis -> jedis.configSet("maxmemory", "1"));
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(Raw.locks(node())).isEmpty();
    }

    @Test
    void aNodeThatBecameAReplicaIsReadOnly() {
        try (RedisNodes master = RedisNodes.start(1)) {
            Raw.on(
                    node(),
                    jedis -> jedis.sendCommand(
                            Protocol.Command.REPLICAOF,
                            master.get(0).host(),
                            Integer.toString(master.get(0).port())));
            fails(Reason.READONLY);
        }
    }

    @Test
    void aNodeThatCannotPersistIsMisconf() {
        Raw.on(node(), jedis -> jedis.configSet("appendonly", "no"));
        Raw.on(node(), jedis -> jedis.configSet("save", "3600 1"));
        Raw.on(node(), jedis -> jedis.configSet("dbfilename", "no-such-file.rdb"));
        makeDirectoryUnusable();
        fails(Reason.MISCONF);
    }

    /** A directory of the same name as the dump makes every save fail. */
    private void makeDirectoryUnusable() {
        String directory = Raw.on(node(), jedis -> jedis.configGet("dir").get("dir"));
        assertThat(new java.io.File(directory, "no-such-file.rdb").mkdir()).isTrue();
        Raw.on(node(), jedis -> jedis.set("unrelated", "x"));
        Raw.on(node(), Jedis::bgsave);
        await().until(() -> Raw.on(node(), jedis -> jedis.info("persistence").contains("rdb_last_bgsave_status:err")));
    }

    @Test
    void aNodeThatRunsSomebodysScriptIsBusy() {
        Raw.on(node(), jedis -> jedis.configSet("lua-time-limit", "10"));
        Thread culprit = new Thread(() -> {
            try {
                Raw.on(node(), jedis -> jedis.eval("while true do end"));
            } catch (JedisException e) {
                // killed below
            }
        });
        culprit.start();
        await().until(() -> {
            try {
                Raw.on(node(), Jedis::ping);
                return false;
            } catch (JedisException e) {
                return e.getMessage().startsWith("BUSY");
            }
        });
        fails(Reason.BUSY);
        Raw.on(node(), Jedis::scriptKill);
        locks.acquire("r", TTL, Duration.ofSeconds(5)).close();
    }

    @Test
    void aPasswordSetLaterIsNoauthOnNewConnections() {
        Raw.on(node(), jedis -> jedis.configSet("requirepass", "secret"));
        try (FencedLocks late = client()) {
            assertThatThrownBy(() -> late.acquire("r", TTL, Duration.ZERO))
                    .isInstanceOfSatisfying(
                            LockNotAcquiredException.class,
                            e -> assertThat(e.nodeFailures().values())
                                    .extracting(NodeFailure::reason)
                                    .containsExactly(Reason.NOAUTH));
        }
    }

    @Test
    void aUserWithoutARightIsNoperm() {
        Raw.on(node(), jedis -> jedis.aclSetUser("default", "-incr"));
        fails(Reason.NOPERM);
        assertThat(Raw.locks(node())).isEmpty();
    }

    @Test
    void aMuteNodeIsTimedOut() {
        node().pause();
        fails(Reason.TIMED_OUT);
        node().resume();
        nodes.awaitNoLocks();
    }

    @Test
    void aForgottenScriptIsSentAgain() {
        for (int i = 0; i < 3; i++) {
            Raw.on(node(), Jedis::scriptFlush);
            Lease lease = locks.acquire("r", TTL, Duration.ZERO);
            Raw.on(node(), Jedis::scriptFlush);
            assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        }
        Raw.on(node(), Jedis::scriptFlush);
        Lease lease = locks.acquire(
                LeaseRequest.of("r", Duration.ofMillis(300)).renewFor(Duration.ofSeconds(9)), Duration.ZERO);
        Raw.on(node(), Jedis::scriptFlush);
        await().during(Duration.ofMillis(700)).atMost(Duration.ofSeconds(3)).until(lease::isValid);
        lease.close();
    }

    @Test
    void aConnectionThatTheServerClosedIsReplaced() {
        locks.acquire("r", TTL, Duration.ZERO).close();
        Raw.on(node(), jedis -> jedis.sendCommand(Protocol.Command.CLIENT, "KILL", "TYPE", "normal", "SKIPME", "yes"));
        locks.acquire("r", TTL, Duration.ofSeconds(2)).close();
    }

    @Test
    void nothingPermanentIsWritten() {
        locks.acquire("r", TTL, Duration.ZERO).close();
        Lease held = locks.acquire("s", TTL, Duration.ZERO);
        List<Long> ttls = Raw.on(
                node(), jedis -> jedis.keys("*").stream().map(jedis::pttl).toList());
        assertThat(ttls).hasSize(6).allMatch(ttl -> ttl > 0);
        held.close();
    }

    @Test
    void ofTwoRetentionsTheLongerWinsAndForEverBeatsBoth() {
        try (FencedLocks day = retaining(Duration.ofDays(1));
                FencedLocks week = retaining(Duration.ofDays(7));
                FencedLocks ever = retaining(Duration.ZERO)) {
            day.acquire("r", TTL, Duration.ZERO).close();
            assertThat(retained())
                    .isBetween(
                            Duration.ofHours(23).toMillis(), Duration.ofDays(1).toMillis());
            week.acquire("r", TTL, Duration.ZERO).close();
            day.acquire("r", TTL, Duration.ZERO).close();
            assertThat(retained())
                    .isBetween(Duration.ofDays(6).toMillis(), Duration.ofDays(7).toMillis());
            ever.acquire("r", TTL, Duration.ZERO).close();
            day.acquire("r", TTL, Duration.ZERO).close();
            assertThat(retained()).isEqualTo(-1);
        }
    }

    private long retained() {
        return Raw.on(node(), jedis -> jedis.pttl("fenced-write:r:token"));
    }

    private FencedLocks retaining(Duration time) {
        return nodes.builder().retention(time).build();
    }
}
