package io.github.fencedwrite.examples.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A proxy that looks at what commands say. */
final class ChosenCommandsIT {

    private static RedisNodes nodes;
    private static RedisNode node;

    private Proxy proxy;

    @BeforeAll
    static void start() {
        nodes = RedisNodes.start(1);
        node = nodes.get(0);
    }

    @AfterAll
    static void end() {
        nodes.close();
    }

    @BeforeEach
    void open() throws IOException {
        RedisCommand.send(node, "FLUSHALL");
        proxy = Proxy.to(node);
    }

    @AfterEach
    void close() {
        proxy.close();
    }

    @Test
    void showsEachCommandWithItsConnectionHoweverItArrives() throws IOException {
        Queue<ProxyCommand> seen = new ConcurrentLinkedQueue<>();
        proxy.watch(seen::add);
        try (RedisSocket one = new RedisSocket(proxy)) {
            assertThat(one.ask("SET a 1")).isEqualTo("+OK\r\n");
            for (char each : "*3\r\n$3\r\nSET\r\n$2\r\nb\n\r\n$4\r\n*1\r\n\r\n".toCharArray()) {
                one.write(Character.toString(each));
            }
            assertThat(one.readLine()).isEqualTo("+OK\r\n");
            try (RedisSocket two = new RedisSocket(proxy)) {
                two.write("PING\r\n*1\r\n$4\r\nPING\r\n");
                assertThat(two.readLine()).isEqualTo("+PONG\r\n");
                assertThat(two.readLine()).isEqualTo("+PONG\r\n");
            }
        }
        assertThat(seen)
                .containsExactly(
                        new ProxyCommand(1, List.of("SET", "a", "1")),
                        new ProxyCommand(1, List.of("SET", "b\n", "*1\r\n")),
                        new ProxyCommand(2, List.of("PING")),
                        new ProxyCommand(2, List.of("PING")));
    }

    @Test
    void losesTheChosenCommandOnceWithAllThatCameBeforeExecuted() throws IOException {
        proxy.failCommand(words -> words.contains("b"), CommandFault.LOSE_AND_RESET);
        try (RedisSocket socket = new RedisSocket(proxy)) {
            socket.write("INCR a\r\nINCR b\r\nINCR c\r\n");
            assertThatThrownBy(() -> {
                        while (!socket.readLine().endsWith("<end>")) {
                            // until the reset
                        }
                    })
                    .isInstanceOf(SocketException.class);
        }
        try (RedisSocket socket = new RedisSocket(proxy)) {
            assertThat(socket.ask("INCR b")).isEqualTo(":1\r\n");
            assertThat(socket.ask("INCR a")).isEqualTo(":2\r\n");
            assertThat(socket.ask("EXISTS c")).isEqualTo(":0\r\n");
        }
        assertThat(proxy.counters().faults()).isEqualTo(1);
    }

    @Test
    void resetsAfterTheChosenCommandWhichIsExecuted() throws IOException {
        proxy.failCommand(words -> words.contains("b"), CommandFault.PASS_AND_RESET);
        try (RedisSocket socket = new RedisSocket(proxy)) {
            socket.write("INCR b\r\n");
            assertThatThrownBy(socket::readLine).isInstanceOf(SocketException.class);
        }
        try (RedisSocket socket = new RedisSocket(proxy)) {
            assertThat(socket.ask("INCR b")).isEqualTo(":2\r\n");
        }
    }

    @Test
    void losesTheReplyToTheChosenCommand() throws IOException {
        proxy.failReply(words -> words.contains("b"), ReplyFault.LOSE_AND_STAY_SILENT);
        try (RedisSocket socket = new RedisSocket(proxy).timeout(300)) {
            socket.write("INCR a\r\nINCR b\r\nINCR c\r\n");
            assertThat(socket.readLine()).isEqualTo(":1\r\n");
            assertThatThrownBy(socket::readLine).isInstanceOf(SocketTimeoutException.class);
        }
        try (RedisSocket socket = new RedisSocket(proxy)) {
            assertThat(socket.ask("INCR b")).isEqualTo(":2\r\n");
            assertThat(socket.ask("INCR c")).isEqualTo(":2\r\n");
        }
    }
}
