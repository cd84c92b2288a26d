package io.github.fencedwrite.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.SeedMode;
import io.github.fencedwrite.examples.servers.RedisNodes;
import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Command;
import io.github.fencedwrite.internal.protocol.OwnerId;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SweepIT {

    private static final int QUESTIONS = 5;
    private static final Command QUESTION = new Command.Release(new OwnerId("nobody"));

    /** Else it would wake up for each reply on a connection that is in use again, beside the one who uses it. */
    @Test
    void doesNotGoOnWithWhatIsWrittenMeanwhile() throws Exception {
        try (RedisNodes nodes = RedisNodes.start(1);
                Background background = new Background()) {
            NodeAddress address = NodeAddress.parse(nodes.uris().get(0));
            NodeSettings settings = new NodeSettings(
                    TimeUnit.SECONDS.toNanos(10),
                    0,
                    0,
                    Membership.of("sweep", List.of(address), 1_000, SeedMode.CLOCK));
            Node node = new Node(0, address, settings, background);
            node.connect();
            node.awaitFirstProbe(System.nanoTime() + TimeUnit.SECONDS.toNanos(30));
            NodeConnection connection = Objects.requireNonNull(node.take());
            Persistent asker = new Persistent(connection);
            asker.ask();
            asker.ask();

            connection.read(null, TimeUnit.SECONDS.toNanos(10));

            assertThat(asker.answers).isEqualTo(2);
            assertThat(connection.unreadCount()).isEqualTo(2);
            node.shut();
        }
    }

    /** Asks again as soon as it is answered. */
    private static final class Persistent implements Recipient {

        private final NodeConnection connection;
        private final ResourceKeys keys = new ResourceKeys("sweep", "resource");
        private int asked;
        private int answers;

        Persistent(NodeConnection connection) {
            this.connection = connection;
        }

        void ask() {
            if (asked++ < QUESTIONS) {
                connection.send(this, QUESTION, keys);
            }
        }

        @Override
        public void answered(int node, Command command, Answer answer) {
            answers++;
            ask();
        }

        @Override
        public boolean waitsFor(int node) {
            return answers < asked;
        }
    }
}
