package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.LockNotAcquiredException.Reason;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BadInputIT {

    private static final Duration TTL = Duration.ofSeconds(5);

    @RegisterExtension
    static final TestNodes nodes = new TestNodes(1);

    @AfterEach
    void nothingIsLeftBehind() {
        assertThat(Raw.keys(nodes.get(0))).isEmpty();
    }

    @Test
    void unknownHostIsAVoteOfNoWithItsOwnReason() {
        try (FencedLocks locks =
                FencedLocks.builder().nodes("redis://no-such-host.invalid:6379").build()) {
            assertThatThrownBy(() -> locks.acquire("r", TTL, Duration.ZERO))
                    .isInstanceOfSatisfying(LockNotAcquiredException.class, e -> {
                        assertThat(e.reason()).isEqualTo(Reason.NO_QUORUM);
                        assertThat(e.nodeFailures()
                                        .get("no-such-host.invalid:6379")
                                        .reason())
                                .isEqualTo(NodeFailure.Reason.UNKNOWN_HOST);
                    })
                    .hasMessageContaining("no-such-host.invalid:6379 UNKNOWN_HOST");
        }
    }

    @Test
    void wrongPasswordIsNamedWithoutShowingIt() {
        String uri = "redis://user:s3cret@" + nodes.get(0).host() + ":"
                + nodes.get(0).port();
        assertThatThrownBy(() -> FencedLocks.builder().nodes(uri).build())
                .isInstanceOf(PreflightException.class)
                .hasMessageContaining("LOGIN")
                .hasMessageNotContaining("s3cret");
        try (FencedLocks locks =
                FencedLocks.builder().nodes(uri).preflight(PreflightMode.REPORT).build()) {
            assertThatThrownBy(() -> locks.acquire("r", TTL, Duration.ZERO))
                    .isInstanceOfSatisfying(
                            LockNotAcquiredException.class,
                            e -> assertThat(e.nodeFailures().values())
                                    .extracting(NodeFailure::reason)
                                    .containsExactly(NodeFailure.Reason.NOAUTH))
                    .hasMessageNotContaining("s3cret");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.000000001S", "PT0.009S", "PT30.001S", "PT2562047788015215H"})
    void ttlOutsideItsRangeIsRefusedWithTheBound(Duration ttl) {
        try (FencedLocks locks = nodes.client()) {
            assertThatThrownBy(() -> locks.acquire("r", ttl, Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("10 ms to 30000 ms");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.001S", "PT24H0.001S", "PT2562047788015215H"})
    void waitOutsideItsRangeIsRefusedWithTheBound(Duration wait) {
        try (FencedLocks locks = nodes.client()) {
            assertThatThrownBy(() -> locks.acquire("r", TTL, wait))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("0 (one attempt) to 24 hours");
        }
    }

    @Test
    void resourceOutsideItsRangeIsRefusedWithTheBound() {
        try (FencedLocks locks = nodes.client()) {
            assertThatThrownBy(() -> locks.acquire("", TTL, Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1 to 1024 bytes");
            assertThatThrownBy(() -> locks.acquire("\u00e9".repeat(513), TTL, Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1026");
            assertThatThrownBy(() -> locks.acquire("a\0b", TTL, Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("U+0000");
            assertThatThrownBy(() -> locks.acquire("a\ud83db", TTL, Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("surrogate");
            assertThatThrownBy(() -> locks.acquire(null, TTL, Duration.ZERO)).isInstanceOf(NullPointerException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "http://localhost",
                "unix:///tmp/redis.sock",
                "redis://",
                "redis://host:0",
                "redis://host/x",
                "redis://user@host",
                "redis://u:s3cret@ho st",
                "redis://u:s3cret@host?x=1"
            })
    void anAddressThatCannotBeReadIsRefusedWithTheFormThatCan(String uri) {
        assertThatThrownBy(() -> FencedLocks.builder().nodes(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void theSameServerTwiceIsRefused() {
        assertThatThrownBy(() -> FencedLocks.builder().nodes("redis://a:1", "redis://A:1/2"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> FencedLocks.builder().nodes(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FencedLocks.builder().build()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void builderValuesOutsideTheirRangesAreRefusedWithTheBound() {
        FencedLocksBuilder builder = FencedLocks.builder();
        assertThatThrownBy(() -> builder.prefix("a:b")).hasMessageContaining("without a colon");
        assertThatThrownBy(() -> builder.prefix("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.nodeTimeout(Duration.ZERO)).hasMessageContaining("PT0.001S to PT10S");
        assertThatThrownBy(() -> builder.drift(-0.1, Duration.ZERO)).hasMessageContaining("0 to 0.5");
        assertThatThrownBy(() -> builder.drift(Double.NaN, Duration.ZERO)).hasMessageContaining("0 to 0.5");
        assertThatThrownBy(() -> builder.maxTtl(Duration.ofDays(1))).hasMessageContaining("PT1H");
        assertThatThrownBy(() -> builder.retention(Duration.ofMinutes(1))).hasMessageContaining("PT1H");
        assertThatThrownBy(() -> builder.nodes("redis://a")
                        .retention(Duration.ofHours(3))
                        .maxLifetime(Duration.ofHours(2))
                        .build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("twice the maxLifetime");
    }

    @Test
    void aClosedClientSaysSo() {
        FencedLocks locks = nodes.client();
        locks.close();
        locks.close();
        assertThatThrownBy(() -> locks.acquire("r", TTL, Duration.ZERO))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }
}
