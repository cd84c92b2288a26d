package io.github.fencedwrite.examples.boot;

import io.github.fencedwrite.examples.servers.Postgres;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.util.Map;

/** Three Redis nodes and an empty database for the service. */
final class LocalServers implements AutoCloseable {

    final RedisNodes nodes = RedisNodes.start(3);
    final PostgresDatabase database = Postgres.shared().newDatabase();

    /** The settings of the service that name them. */
    Map<String, Object> properties() {
        return Map.of(
                "spring.datasource.url", database.jdbcUrl(),
                "spring.datasource.username", database.user(),
                "spring.datasource.password", database.password(),
                "locks.nodes", String.join(",", nodes.uris()),
                "locks.quarantine", "false");
    }

    @Override
    public void close() {
        database.close();
        nodes.close();
    }
}
