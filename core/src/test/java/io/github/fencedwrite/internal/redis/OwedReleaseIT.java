package io.github.fencedwrite.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.NodeFailure.Reason;
import io.github.fencedwrite.SeedMode;
import io.github.fencedwrite.examples.servers.RedisNodes;
import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Command;
import io.github.fencedwrite.internal.protocol.OwnerId;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;

class OwedReleaseIT {

    private static final OwnerId OWNER = new OwnerId("owner");

    /** As after the interrupt of a virtual thread, which closes its connection without any fault of the node. */
    @Test
    void doesNotWaitForTheNextCallerWhereTheOnlyConnectionWasClosed() throws Exception {
        try (RedisNodes nodes = RedisNodes.start(1);
                Background background = new Background();
                Jedis jedis = new Jedis(
                        new HostAndPort(nodes.get(0).host(), nodes.get(0).port()),
                        DefaultJedisClientConfig.builder()
                                .autoNegotiateProtocol(false)
                                .build())) {
            NodeAddress address = NodeAddress.parse(nodes.uris().get(0));
            NodeSettings settings = new NodeSettings(
                    TimeUnit.SECONDS.toNanos(10), 0, 0, Membership.of("owed", List.of(address), 1_000, SeedMode.CLOCK));
            Node node = new Node(0, address, settings, background);
            node.connect();
            node.awaitFirstProbe(System.nanoTime() + TimeUnit.SECONDS.toNanos(30));
            ResourceKeys keys = new ResourceKeys("owed", "resource");
            NodeConnection connection = Objects.requireNonNull(node.take());
            connection.send(new Nobody(), new Command.Acquire(OWNER, 600_000, 1), keys);
            connection.read(null, TimeUnit.SECONDS.toNanos(10));
            assertThat(jedis.get("owed:resource:lock")).isEqualTo(OWNER.text());

            connection.close(new NodeFailure(Reason.CONNECTION_LOST, "interrupted"), false, false);
            node.ensureReleased(keys, new Command.Release(OWNER), 600_000);

            await().untilAsserted(
                            () -> assertThat(jedis.get("owed:resource:lock")).isNull());
            node.shut();
        }
    }

    private static final class Nobody implements Recipient {

        @Override
        public void answered(int node, Command command, Answer answer) {}

        @Override
        public boolean waitsFor(int node) {
            return false;
        }
    }
}
