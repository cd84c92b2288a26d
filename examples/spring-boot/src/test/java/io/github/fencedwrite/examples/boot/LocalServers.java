package io.github.fencedwrite.examples.boot;

import io.github.fencedwrite.examples.servers.Postgres;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.util.stream.Stream;

/** Three Redis nodes and an empty database for the service. */
final class LocalServers implements AutoCloseable {

    final RedisNodes nodes = RedisNodes.start(3);
    final PostgresDatabase database = Postgres.shared().newDatabase();

    /** The service's arguments that name them, and further settings, given as {@code name=value}. */
    String[] arguments(String... more) {
        Stream<String> these = Stream.of(
                "spring.datasource.url=" + database.jdbcUrl(),
                "spring.datasource.username=" + database.user(),
                "spring.datasource.password=" + database.password(),
                "locks.nodes=" + String.join(",", nodes.uris()),
                "locks.quarantine=false");
        return Stream.concat(these, Stream.of(more))
                .map(setting -> "--" + setting)
                .toArray(String[]::new);
    }

    @Override
    public void close() {
        database.close();
        nodes.close();
    }
}
