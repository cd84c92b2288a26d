package io.github.fencedwrite.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.NodeFailure.Reason;
import io.github.fencedwrite.SeedMode;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class QuarantineOrderIT {

    private static final int ROUNDS = 100;

    /** Whoever gets hold of the connection at the first possible moment, while it is being opened by another thread. */
    @Test
    void aConnectionToAFreshServerIsInQuarantineFromTheMomentItCanBeUsed() {
        try (RedisNodes nodes = RedisNodes.start(1);
                Background background = new Background()) {
            NodeAddress address = NodeAddress.parse(nodes.uris().get(0));
            NodeSettings settings = new NodeSettings(
                    TimeUnit.SECONDS.toNanos(5),
                    0,
                    TimeUnit.HOURS.toMillis(1),
                    Membership.of("p", List.of(address), 1_000, SeedMode.CLOCK));
            for (int i = 0; i < ROUNDS; i++) {
                Node node = new Node(0, address, settings, background);
                node.connect();
                NodeConnection connection = node.borrow();
                while (connection == null) {
                    Thread.onSpinWait();
                    connection = node.borrow();
                }
                assertThat(connection.quarantined())
                        .isNotNull()
                        .satisfies(failure -> assertThat(failure.reason()).isEqualTo(Reason.QUARANTINED));
                node.shut();
            }
        }
    }
}
