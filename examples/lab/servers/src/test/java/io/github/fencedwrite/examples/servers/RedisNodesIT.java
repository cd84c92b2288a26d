package io.github.fencedwrite.examples.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("contract")
final class RedisNodesIT {

    private static RedisNodes nodes;

    private RedisNode node;

    @BeforeAll
    static void start() {
        nodes = RedisNodes.start(3);
    }

    @AfterAll
    static void close() {
        nodes.close();
    }

    @BeforeEach
    void restoreFirstNode() {
        node = nodes.get(0);
        node.restart(Data.LOST);
    }

    @Test
    void answersOnDistinctAddresses() throws IOException {
        assertThat(nodes.all()).hasSize(3);
        assertThat(nodes.uris()).doesNotHaveDuplicates().allMatch(uri -> uri.matches("redis://[^:]+:\\d+"));
        for (RedisNode each : nodes.all()) {
            assertThat(each.isRunning()).isTrue();
            assertThat(RedisCommand.send(each, "PING")).isEqualTo("+PONG");
        }
        assertThat(nodes.startedEmpty()).isTrue();
    }

    @Test
    void isEmptyAndIndependent() throws IOException {
        RedisCommand.send(node, "SET a 1");
        assertThat(RedisCommand.send(node, "DBSIZE")).isEqualTo(":1");
        assertThat(RedisCommand.send(nodes.get(1), "DBSIZE")).isEqualTo(":0");
        assertThat(RedisCommand.send(nodes.get(2), "DBSIZE")).isEqualTo(":0");
    }

    @Test
    void answersNothingWhilePausedAndExecutesAfterwards() throws IOException {
        node.pause();
        assertThat(node.isRunning()).isTrue();
        assertThatThrownBy(() -> RedisCommand.send(node.host(), node.port(), "SET late 1", 300))
                .isInstanceOf(SocketTimeoutException.class);
        node.resume();
        assertThat(RedisCommand.send(node, "PING")).isEqualTo("+PONG");
        assertThat(RedisCommand.send(node, "GET late")).isEqualTo("1");
    }

    @Test
    void refusesConnectionsWhenKilled() {
        node.kill();
        assertThat(node.isRunning()).isFalse();
        assertThatThrownBy(() -> RedisCommand.send(node, "PING")).isInstanceOf(ConnectException.class);
        assertThatCode(node::kill).doesNotThrowAnyException();
    }

    @Test
    void cannotBePausedWhenKilled() {
        node.kill();
        assertThatThrownBy(node::pause).isInstanceOf(ServersException.class).hasMessageContaining(node.uri());
    }

    @Test
    void killsAPausedNode() throws IOException {
        node.pause();
        node.kill();
        node.restart(Data.LOST);
        assertThat(RedisCommand.send(node, "PING")).isEqualTo("+PONG");
    }

    @Test
    void comesBackWithEverythingItAnswered() throws IOException {
        String uri = node.uri();
        for (int i = 1; i <= 100; i++) {
            assertThat(RedisCommand.send(node, "INCR counter")).isEqualTo(":" + i);
        }
        node.kill();
        node.restart(Data.KEPT);
        assertThat(node.uri()).isEqualTo(uri);
        assertThat(RedisCommand.send(node, "GET counter")).isEqualTo("100");
        node.restart(Data.KEPT);
        assertThat(RedisCommand.send(node, "INCR counter")).isEqualTo(":101");
    }

    @Test
    void comesBackEmpty() throws IOException {
        String uri = node.uri();
        RedisCommand.send(node, "SET a 1");
        node.restart(Data.LOST);
        assertThat(node.uri()).isEqualTo(uri);
        assertThat(RedisCommand.send(node, "DBSIZE")).isEqualTo(":0");
    }

    @Test
    void comesBackWithAnOlderCounter() throws IOException {
        for (int i = 1; i <= 6; i++) {
            RedisCommand.send(node, "INCR counter");
        }
        node.saveSnapshot();
        for (int i = 7; i <= 10; i++) {
            RedisCommand.send(node, "INCR counter");
        }
        node.kill();
        node.restart(Data.SNAPSHOT);
        assertThat(RedisCommand.send(node, "GET counter")).isEqualTo("6");
        RedisCommand.send(node, "INCR counter");
        node.restart(Data.SNAPSHOT);
        assertThat(RedisCommand.send(node, "GET counter")).isEqualTo("6");
    }

    @Test
    void savesASnapshotOfADeadNode() throws IOException {
        RedisCommand.send(node, "SET a 1");
        node.kill();
        node.saveSnapshot();
        node.restart(Data.LOST);
        node.restart(Data.SNAPSHOT);
        assertThat(RedisCommand.send(node, "GET a")).isEqualTo("1");
    }

    @Test
    void refusesASnapshotThatWasNeverSaved() {
        try (RedisNodes other = RedisNodes.start(1)) {
            assertThatThrownBy(() -> other.get(0).restart(Data.SNAPSHOT))
                    .isInstanceOf(ServersException.class)
                    .hasMessageContaining("saveSnapshot()");
            assertThat(other.get(0).isRunning()).isTrue();
        }
    }

    @Test
    void hasRedisDefaultSemanticsWithoutAppendOnlyFile() throws IOException {
        try (RedisNodes other = RedisNodes.start(1, "--appendonly", "no")) {
            RedisNode plain = other.get(0);
            RedisCommand.send(plain, "SET counter 6");
            assertThat(RedisCommand.send(plain, "SAVE")).isEqualTo("+OK");
            RedisCommand.send(plain, "SET counter 10");
            plain.restart(Data.KEPT);
            assertThat(RedisCommand.send(plain, "GET counter")).isEqualTo("6");
        }
    }

    @Test
    void takesSettingsAndKeepsThemOverARestart() throws IOException {
        try (RedisNodes other = RedisNodes.start(2, "--maxmemory", "2mb", "--requirepass", "secret")) {
            for (RedisNode each : other.all()) {
                assertThat(RedisCommand.send(each, "PING")).startsWith("-NOAUTH");
                each.restart(Data.KEPT);
                assertThat(RedisCommand.send(each, "PING")).startsWith("-NOAUTH");
            }
        }
        try (RedisNodes other = RedisNodes.start(1, "--maxmemory", "2mb")) {
            assertThat(RedisCommand.send(other.get(0), "INFO memory")).contains("maxmemory:2097152");
        }
    }

    @Test
    void saysWhatTheServerSaidAboutAWrongSetting() {
        assertThatThrownBy(() -> RedisNodes.start(2, "--no-such-setting", "1"))
                .isInstanceOf(ServersException.class)
                .hasMessageContaining("no-such-setting");
    }

    @Test
    void refusesLessThanOneNode() {
        assertThatThrownBy(() -> RedisNodes.start(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void groupsLiveSideBySide() throws IOException {
        try (RedisNodes other = RedisNodes.start(3)) {
            assertThat(other.uris()).doesNotContainAnyElementsOf(nodes.uris());
            other.get(0).kill();
            assertThat(RedisCommand.send(node, "PING")).isEqualTo("+PONG");
        }
        assertThat(RedisCommand.send(node, "PING")).isEqualTo("+PONG");
    }

    @Test
    void closingEndsPausedAndRunningNodesAndCanBeRepeated() {
        RedisNodes other = RedisNodes.start(2);
        other.get(0).pause();
        other.close();
        other.close();
        assertThat(other.all()).noneMatch(RedisNode::isRunning);
        for (RedisNode each : other.all()) {
            assertThatThrownBy(() -> RedisCommand.send(each, "PING")).isInstanceOf(ConnectException.class);
        }
    }
}
