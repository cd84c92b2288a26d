package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.examples.servers.Data;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The story that fencing tokens exist for: both believe they hold the lock, and the tokens tell them apart. */
@Tag("contract")
class ClockJumpIT {

    private static final Duration TTL = Duration.ofSeconds(20);

    @Test
    void twoHoldersAfterAClockJumpHaveDifferentAndOrderedTokens() {
        try (RedisNodes nodes = RedisNodes.start(5);
                FencedLocks a = client(nodes);
                FencedLocks b = client(nodes)) {
            nodes.get(3).pause();
            nodes.get(4).pause();
            Lease first = a.acquire("sku:4711", TTL, Duration.ZERO);
            // A's process hangs from here on: it brings no node up to its lock any more
            a.close();
            Raw.on(nodes.get(2), jedis -> jedis.del("fenced-write:sku:4711:lock"));
            for (int i : new int[] {3, 4}) {
                // what a paused node was sent is gone for good
                nodes.get(i).kill();
                nodes.get(i).restart(Data.LOST);
            }
            nodes.get(0).pause();
            nodes.get(1).pause();

            Lease second = b.acquire("sku:4711", TTL, Duration.ofSeconds(10));

            assertThat(first.isValid()).isTrue();
            assertThat(second.isValid()).isTrue();
            assertThat(second.token().isNewerThan(first.token())).isTrue();
            nodes.get(0).resume();
            nodes.get(1).resume();
        }
    }

    private static FencedLocks client(RedisNodes nodes) {
        return FencedLocks.builder()
                .nodes(nodes.uris())
                .quarantine(false)
                .releaseOnClose(false)
                .build();
    }
}
