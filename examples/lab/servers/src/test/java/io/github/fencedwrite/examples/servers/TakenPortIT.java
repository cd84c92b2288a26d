package io.github.fencedwrite.examples.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class TakenPortIT {

    @Test
    void aNewNodeTakesAnotherPort() throws IOException {
        Path directory = Workspace.instance().newDirectory("taken");
        EmbeddedRedisNode node = new EmbeddedRedisNode(directory, List.of(), Map.of());
        int first = node.port();
        try (ServerSocket other = new ServerSocket(first, 1, InetAddress.getLoopbackAddress())) {
            node.launch();
            node.awaitFirstStart();
            assertThat(node.port()).isNotEqualTo(other.getLocalPort());
            assertThat(RedisCommand.send(node, "PING")).isEqualTo("+PONG");
        } finally {
            node.close();
            Workspace.delete(directory);
        }
    }

    @Test
    void aRestartedNodeWaitsForItsOwn() throws IOException {
        try (RedisNodes nodes = RedisNodes.start(1)) {
            RedisNode node = nodes.get(0);
            RedisCommand.send(node, "SET a 1");
            node.kill();
            CompletableFuture<Void> restart;
            try (ServerSocket other = new ServerSocket(node.port(), 50, InetAddress.getLoopbackAddress())) {
                restart = CompletableFuture.runAsync(() -> node.restart(Data.KEPT));
                // long enough for the first try to fail
                await().pollDelay(Duration.ofMillis(500)).until(() -> !restart.isDone());
                assertThat(other.isBound()).isTrue();
            }
            restart.join();
            assertThat(RedisCommand.send(node, "GET a")).isEqualTo("1");
        }
    }
}
