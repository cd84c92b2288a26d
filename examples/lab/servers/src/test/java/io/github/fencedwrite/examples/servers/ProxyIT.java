package io.github.fencedwrite.examples.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ProxyIT {

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
    void passesCommandsAndRepliesAndCountsThem() throws IOException {
        try (RedisSocket socket = new RedisSocket(proxy)) {
            assertThat(socket.ask("SET a 1")).isEqualTo("+OK\r\n");
            socket.write("PING\r\nPING\r\nINCR a\r\n");
            assertThat(socket.readLine()).isEqualTo("+PONG\r\n");
            assertThat(socket.readLine()).isEqualTo("+PONG\r\n");
            assertThat(socket.readLine()).isEqualTo(":2\r\n");
            assertThat(proxy.counters()).isEqualTo(new ProxyCounters(1, 1, 9 + 6 + 6 + 8, 5 + 7 + 7 + 4, 4, 4, 0));
        }
        await().until(() -> proxy.counters().openConnections() == 0);
    }

    @Test
    void passesMegabytesUnchanged() throws IOException {
        String value = "0123456789abcdef".repeat(1 << 19);
        try (RedisSocket socket = new RedisSocket(proxy)) {
            socket.timeout(20_000);
            socket.write("*3\r\n$3\r\nSET\r\n$1\r\nb\r\n$" + value.length() + "\r\n" + value + "\r\n");
            assertThat(socket.readLine()).isEqualTo("+OK\r\n");
            assertThat(socket.ask("STRLEN b")).isEqualTo(":" + value.length() + "\r\n");
            proxy.delay(Duration.ofMillis(2));
            assertThat(socket.ask("GETRANGE b 0 -1")).isEqualTo("$" + value.length() + "\r\n");
            assertThat(socket.readLine()).isEqualTo(value + "\r\n");
        }
    }

    @Test
    void delaysEachWayPrecisely() throws IOException {
        try (RedisSocket socket = new RedisSocket(proxy)) {
            double direct = fastPingMillis(socket, 0);
            proxy.delay(Duration.ofMillis(1));
            assertThat(fastPingMillis(socket, 2.0)).isLessThan(direct + 3.0);
            proxy.delay(Duration.ofMillis(3), Duration.ZERO);
            assertThat(fastPingMillis(socket, 3.0)).isLessThan(direct + 4.0);
            proxy.delay(Duration.ZERO);
            assertThat(fastPingMillis(socket, 0)).isLessThan(direct + 1.0);
        }
    }

    @Test
    void delaysWithoutLimitingTheThroughput() throws IOException {
        proxy.delay(Duration.ofMillis(20));
        int commands = 2_000;
        try (RedisSocket socket = new RedisSocket(proxy)) {
            assertThat(socket.ask("PING")).isEqualTo("+PONG\r\n");
            long start = System.nanoTime();
            for (int i = 0; i < commands; i++) {
                socket.write("PING\r\n");
            }
            for (int i = 0; i < commands; i++) {
                assertThat(socket.readLine()).isEqualTo("+PONG\r\n");
            }
            // one after the other they would take 80 s
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(40), Duration.ofSeconds(10));
        }
    }

    @Test
    void refusesNewConnectionsAndKeepsOldOnes() throws IOException {
        try (RedisSocket old = new RedisSocket(proxy)) {
            assertThat(old.ask("PING")).isEqualTo("+PONG\r\n");
            for (int i = 0; i < 20; i++) {
                proxy.refuse();
                assertThatThrownBy(() -> new RedisSocket(proxy)).isInstanceOf(ConnectException.class);
                assertThat(old.ask("PING")).isEqualTo("+PONG\r\n");
                proxy.open();
                try (RedisSocket another = new RedisSocket(proxy)) {
                    assertThat(another.ask("PING")).isEqualTo("+PONG\r\n");
                }
            }
        }
    }

    @Test
    void isMuteForOldAndNewConnectionsAndLosesNothing() throws IOException {
        try (RedisSocket old = new RedisSocket(proxy)) {
            assertThat(old.ask("PING")).isEqualTo("+PONG\r\n");
            proxy.mute();
            try (RedisSocket fresh = new RedisSocket(proxy)) {
                assertThatThrownBy(() -> old.timeout(200).ask("INCR a")).isInstanceOf(SocketTimeoutException.class);
                assertThatThrownBy(() -> fresh.timeout(200).ask("INCR a")).isInstanceOf(SocketTimeoutException.class);
                assertThat(RedisCommand.send(node, "GET a")).isEqualTo("$-1");
                proxy.open();
                old.timeout(2_000);
                fresh.timeout(2_000);
                assertThat(old.readLine() + fresh.readLine()).isIn(":1\r\n:2\r\n", ":2\r\n:1\r\n");
                assertThat(old.ask("PING")).isEqualTo("+PONG\r\n");
            }
        }
    }

    @Test
    void losesWhatItHeldBackWhenCut() throws IOException {
        try (RedisSocket socket = new RedisSocket(proxy)) {
            assertThat(socket.ask("PING")).isEqualTo("+PONG\r\n");
            proxy.mute();
            socket.write("INCR a\r\n");
            await().until(() -> proxy.counters().commands() == 2);
            proxy.cut(Cut.RESET);
            proxy.open();
            assertThatThrownBy(socket::readLine).isInstanceOf(SocketException.class);
            assertThat(RedisCommand.send(node, "GET a")).isEqualTo("$-1");
        }
    }

    @Test
    void executesCommandsWhileRepliesAreHeldBack() throws IOException {
        try (RedisSocket socket = new RedisSocket(proxy)) {
            proxy.muteReplies();
            assertThatThrownBy(() -> socket.timeout(200).ask("INCR a")).isInstanceOf(SocketTimeoutException.class);
            assertThat(RedisCommand.send(node, "GET a")).isEqualTo("1");
            proxy.open();
            assertThat(socket.readLine()).isEqualTo(":1\r\n");
        }
    }

    @Test
    void cutsInOrder() throws IOException {
        try (RedisSocket socket = new RedisSocket(proxy)) {
            assertThat(socket.ask("PING")).isEqualTo("+PONG\r\n");
            proxy.cut(Cut.CLOSE);
            assertThat(socket.readLine()).isEqualTo("<end>");
        }
        assertThat(proxy.counters().openConnections()).isZero();
    }

    @Test
    void cutsAbruptly() throws IOException {
        try (RedisSocket socket = new RedisSocket(proxy)) {
            assertThat(socket.ask("PING")).isEqualTo("+PONG\r\n");
            proxy.cut(Cut.RESET);
            assertThatThrownBy(socket::readLine)
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
        }
    }

    @Test
    void losesTheKthReplyAndCloses() throws IOException {
        try (RedisSocket socket = new RedisSocket(proxy)) {
            assertThat(socket.ask("INCR a")).isEqualTo(":1\r\n");
            proxy.failReply(2, ReplyFault.LOSE_AND_CLOSE);
            socket.write("INCR a\r\nINCR a\r\nINCR a\r\n");
            assertThat(socket.readLine()).isEqualTo(":2\r\n");
            assertThat(socket.readLine()).isEqualTo("<end>");
        }
        assertThat(RedisCommand.send(node, "GET a")).isEqualTo("4");
        assertThat(proxy.counters().faults()).isEqualTo(1);
        await().until(() -> proxy.counters().openConnections() == 0);
    }

    @Test
    void losesTheKthReplyAndResets() throws IOException {
        try (RedisSocket socket = new RedisSocket(proxy)) {
            proxy.failReply(1, ReplyFault.LOSE_AND_RESET);
            assertThatThrownBy(() -> socket.ask("INCR a")).isInstanceOf(SocketException.class);
        }
        assertThat(RedisCommand.send(node, "GET a")).isEqualTo("1");
    }

    @Test
    void losesTheKthReplyAndStaysSilent() throws IOException {
        try (RedisSocket socket = new RedisSocket(proxy);
                RedisSocket other = new RedisSocket(proxy)) {
            proxy.failReply(2, ReplyFault.LOSE_AND_STAY_SILENT);
            assertThat(socket.ask("INCR a")).isEqualTo(":1\r\n");
            assertThatThrownBy(() -> socket.timeout(200).ask("INCR a")).isInstanceOf(SocketTimeoutException.class);
            assertThatThrownBy(() -> socket.timeout(200).ask("INCR a")).isInstanceOf(SocketTimeoutException.class);
            assertThat(other.ask("INCR a")).isEqualTo(":4\r\n");
        }
    }

    @Test
    void truncatesTheKthReply() throws IOException {
        RedisCommand.send(node, "SET a 0123456789");
        try (RedisSocket socket = new RedisSocket(proxy)) {
            proxy.failReply(1, ReplyFault.TRUNCATE_AND_CLOSE);
            socket.write("GET a\r\n");
            String arrived = socket.readLine() + socket.readLine();
            assertThat("$10\r\n0123456789\r\n").startsWith(arrived.replace("<end>", ""));
            assertThat(arrived).endsWith("<end>").hasSizeBetween(6, 20);
        }
    }

    @Test
    void losesTheKthCommandAndResets() throws IOException {
        try (RedisSocket socket = new RedisSocket(proxy)) {
            proxy.failCommand(2, CommandFault.LOSE_AND_RESET);
            assertThat(socket.ask("INCR a")).isEqualTo(":1\r\n");
            assertThatThrownBy(() -> socket.ask("INCR a")).isInstanceOf(SocketException.class);
        }
        await().until(() -> proxy.counters().openConnections() == 0);
        assertThat(RedisCommand.send(node, "GET a")).isEqualTo("1");
    }

    @Test
    void resetsAfterTheKthCommandWhichIsExecuted() throws IOException {
        try (RedisSocket socket = new RedisSocket(proxy)) {
            proxy.failCommand(1, CommandFault.PASS_AND_RESET);
            assertThatThrownBy(() -> socket.ask("INCR a")).isInstanceOf(SocketException.class);
        }
        await().until(() -> RedisCommand.send(node, "GET a").equals("1"));
        await().until(() -> proxy.counters().openConnections() == 0);
    }

    @Test
    void takesBackFaultsThatHaveNotHappened() throws IOException {
        proxy.failReply(1, ReplyFault.LOSE_AND_CLOSE);
        proxy.failCommand(1, CommandFault.LOSE_AND_RESET);
        proxy.clearFaults();
        try (RedisSocket socket = new RedisSocket(proxy)) {
            assertThat(socket.ask("PING")).isEqualTo("+PONG\r\n");
        }
        assertThat(proxy.counters().faults()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Data.class)
    void goesOnWhenTheServerWasRestarted(Data data) throws IOException {
        node.saveSnapshot();
        try (RedisSocket socket = new RedisSocket(proxy)) {
            assertThat(socket.ask("PING")).isEqualTo("+PONG\r\n");
            node.restart(data);
            assertThat(socket.readLine()).isEqualTo("<end>");
        }
        try (RedisSocket socket = new RedisSocket(proxy)) {
            assertThat(socket.ask("PING")).isEqualTo("+PONG\r\n");
        }
    }

    @Test
    void resetsConnectionsWhenTheServerIsAway() throws IOException {
        node.kill();
        try {
            assertThatThrownBy(() -> {
                        try (RedisSocket socket = new RedisSocket(proxy)) {
                            socket.ask("PING");
                        }
                    })
                    .isInstanceOf(SocketException.class);
        } finally {
            node.restart(Data.LOST);
        }
    }

    @Test
    void sharesTwoDaemonThreadsThatEndWithTheLastProxy() throws IOException {
        try (Proxy second = Proxy.to(node);
                RedisSocket one = new RedisSocket(proxy);
                RedisSocket two = new RedisSocket(second)) {
            assertThat(one.ask("PING") + two.ask("PING")).isEqualTo("+PONG\r\n+PONG\r\n");
            assertThat(proxyThreads()).hasSize(2).allMatch(Thread::isDaemon);
            second.close();
            assertThat(one.ask("PING")).isEqualTo("+PONG\r\n");
            assertThat(two.readLine()).isEqualTo("<end>");
            proxy.close();
            assertThat(one.readLine()).isEqualTo("<end>");
            assertThat(proxyThreads()).isEmpty();
            assertThatThrownBy(() -> new RedisSocket(proxy)).isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void refusesArgumentsOutOfRange() {
        assertThatThrownBy(() -> proxy.delay(Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> proxy.failReply(0, ReplyFault.LOSE_AND_CLOSE))
                .isInstanceOf(IllegalArgumentException.class);
        try (Proxy plain = Proxy.to(node.host(), node.port())) {
            assertThatThrownBy(() -> plain.failCommand(1, CommandFault.LOSE_AND_RESET))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    private static Thread[] proxyThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("proxy-"))
                .toArray(Thread[]::new);
    }

    /** Returns the time that the fastest tenth stays below, which a busy machine does not spoil. */
    private static double fastPingMillis(RedisSocket socket, double least) throws IOException {
        double[] millis = new double[300];
        for (int i = 0; i < millis.length; i++) {
            long start = System.nanoTime();
            assertThat(socket.ask("PING")).isEqualTo("+PONG\r\n");
            millis[i] = (System.nanoTime() - start) / 1e6;
        }
        Arrays.sort(millis);
        assertThat(millis[0]).isGreaterThanOrEqualTo(least);
        return millis[millis.length / 10];
    }
}
