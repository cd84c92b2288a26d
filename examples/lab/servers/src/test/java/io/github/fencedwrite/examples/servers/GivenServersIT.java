package io.github.fencedwrite.examples.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class GivenServersIT {

    private final SystemProperties properties = new SystemProperties();

    @AfterEach
    void restore() {
        properties.close();
    }

    @Test
    void usesGivenNodesAndLeavesThemRunningWithTheirData() throws IOException {
        try (RedisNodes started = RedisNodes.nodes(3).embedded().start()) {
            RedisCommand.send(started.get(0), "SET a 1");
            properties.set(Servers.REDIS_NODES, String.join(",", started.uris()));
            try (RedisNodes given = RedisNodes.start(2)) {
                assertThat(given.kind()).isEqualTo(ServerKind.GIVEN);
                assertThat(given.uris()).isEqualTo(started.uris().subList(0, 2));
                assertThat(given.all()).allMatch(RedisNode::isRunning);
            }
            assertThat(RedisCommand.send(started.get(0), "GET a")).isEqualTo("1");
            started.get(1).kill();
            assertThat(RedisNodes.start(2).get(1).isRunning()).isFalse();
        }
    }

    @Test
    void createsDatabasesOnAGivenPostgres() throws SQLException {
        EmbeddedPostgresServer started = EmbeddedPostgresServer.start(List.of());
        try {
            properties
                    .set(Servers.POSTGRES_URL, started.url(started.administration()) + "?ApplicationName=given")
                    .set(Servers.POSTGRES_USER, started.user())
                    .set(Servers.POSTGRES_PASSWORD, started.password());
            Postgres given = Postgres.connect();
            assertThat(given.kind()).isEqualTo(ServerKind.GIVEN);
            try (PostgresDatabase database = given.newDatabase();
                    Connection connection = database.dataSource().getConnection()) {
                assertThat(connection.getCatalog()).isEqualTo(database.name());
                assertThat(database.jdbcUrl()).isEqualTo(started.url(database.name()) + "?ApplicationName=given");
                assertThat(connection.getClientInfo("ApplicationName")).isEqualTo("given");
            }
            assertThatThrownBy(Postgres::start).isInstanceOf(ServersException.class);
            given.close();
            assertThat(started.isRunning()).isTrue();

            properties.set(Servers.POSTGRES_PASSWORD, "wrong");
            assertThatThrownBy(() -> Postgres.connect().newDatabase())
                    .isInstanceOf(ServersException.class)
                    .hasMessageContaining("as user " + started.user())
                    .hasMessageContaining("password authentication failed")
                    .hasMessageNotContaining("wrong");
        } finally {
            started.close();
        }
    }
}
