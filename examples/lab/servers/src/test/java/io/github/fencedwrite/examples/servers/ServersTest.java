package io.github.fencedwrite.examples.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ServersTest {

    private final SystemProperties properties = new SystemProperties();

    @AfterEach
    void restore() {
        properties.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"docker", "embeded", "true", "auto,embedded"})
    void refusesAnUnknownValueAndNamesTheKnownOnes(String value) {
        properties.set("servers", value);
        assertThatThrownBy(Servers::redis)
                .isInstanceOf(ServersException.class)
                .hasMessageContaining(value)
                .hasMessageContaining("auto, containers or embedded");
        assertThatThrownBy(Servers::postgres).isInstanceOf(ServersException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"embedded", "EMBEDDED", " embedded "})
    void takesEmbeddedInAnyCase(String value) {
        properties.set("servers", value);
        assertThat(Servers.redis()).isEqualTo(ServerKind.EMBEDDED);
        assertThat(Servers.postgres()).isEqualTo(ServerKind.EMBEDDED);
    }

    @Test
    void prefersAddressesOfTheUser() {
        properties.set("servers", "embedded").set("redis.nodes", "redis://a:1");
        assertThat(Servers.redis()).isEqualTo(ServerKind.GIVEN);
        assertThat(Servers.postgres()).isEqualTo(ServerKind.EMBEDDED);
        properties.set("postgres.url", "jdbc:postgresql://a/b");
        assertThat(Servers.postgres()).isEqualTo(ServerKind.GIVEN);
    }

    @Test
    void takesAnEmptyPropertyAsNotSet() {
        properties.set("servers", "embedded").set("redis.nodes", " ");
        assertThat(Servers.redis()).isEqualTo(ServerKind.EMBEDDED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:1", "http://a:1", "redis://", "redis:a", "redis://a b:1", "redis://a_b c"})
    void refusesWhatIsNoAddressOfRedis(String address) {
        properties.set("redis.nodes", "redis://good:1," + address);
        assertThatThrownBy(() -> RedisNodes.start(2))
                .isInstanceOf(ServersException.class)
                .hasMessageContaining(address)
                .hasMessageContaining("redis://host:port");
    }

    @Test
    void readsHostAndPortOfAnAddress() {
        properties.set("redis.nodes", "redis://a:1, rediss://user:secret@b.example , redis://[::1]:7");
        try (RedisNodes nodes = RedisNodes.start(3)) {
            assertThat(nodes.startedEmpty()).isFalse();
            assertThat(nodes.uris())
                    .containsExactly("redis://a:1", "rediss://user:secret@b.example", "redis://[::1]:7");
            assertThat(nodes.all()).extracting(RedisNode::host).containsExactly("a", "b.example", "[::1]");
            assertThat(nodes.all()).extracting(RedisNode::port).containsExactly(1, 6379, 7);
        }
    }

    @Test
    void neverTellsThePasswordOfAGivenNode() {
        properties.set("redis.nodes", "redis://user:secret@a:1");
        RedisNode node = RedisNodes.start(1).get(0);
        assertThatThrownBy(node::kill).isInstanceOf(ServersException.class).hasMessageNotContaining("secret");
        assertThat(node.toString()).doesNotContain("secret");
    }

    @Test
    void refusesToBreakGivenNodes() {
        properties.set("redis.nodes", "redis://a:1");
        RedisNode node = RedisNodes.start(1).get(0);
        assertThatThrownBy(node::pause).isInstanceOf(ServersException.class).hasMessageContaining("redis.nodes");
        assertThatThrownBy(node::resume).isInstanceOf(ServersException.class);
        assertThatThrownBy(() -> node.restart(Data.LOST)).isInstanceOf(ServersException.class);
        assertThatThrownBy(node::saveSnapshot).isInstanceOf(ServersException.class);
    }

    @Test
    void refusesTooFewAddressesAndSettingsForGivenNodes() {
        properties.set("redis.nodes", "redis://a:1,redis://b:2");
        assertThatThrownBy(() -> RedisNodes.start(3))
                .isInstanceOf(ServersException.class)
                .hasMessageContaining("3 nodes are needed");
        assertThatThrownBy(() -> RedisNodes.start(1, "--maxmemory", "1mb"))
                .isInstanceOf(ServersException.class)
                .hasMessageContaining("--maxmemory");
    }

    @Test
    void wantsUserAndUrlOfPostgresTogether() {
        properties.set("postgres.url", "jdbc:postgresql://localhost/x");
        assertThatThrownBy(Postgres::connect)
                .isInstanceOf(ServersException.class)
                .hasMessageContaining("-Dpostgres.user");
        properties.set("postgres.url", "jdbc:mysql://localhost/x").set("postgres.user", "me");
        assertThatThrownBy(Postgres::connect)
                .isInstanceOf(ServersException.class)
                .hasMessageContaining("jdbc:postgresql://host:port/database");
    }

    @Test
    void refusesARedisServerThatIsNoProgram() {
        properties.set("redis.server", "/no/such/redis-server");
        assertThatThrownBy(() -> RedisNodes.nodes(1).embedded().start())
                .isInstanceOf(ServersException.class)
                .hasMessageContaining("-Dredis.server=/no/such/redis-server");
    }

    @Test
    void saysHowToGetOpenSslWhereItIsMissing() {
        assertThat(RedisExecutable.explain(
                        "redis-server: error while loading shared libraries: libssl.so.3: cannot open"
                                + " shared object file: No such file or directory"))
                .contains("libssl3", "-Dredis.server=", "-Dservers=containers", "-Dredis.nodes=", "loading shared");
    }
}
