package io.github.fencedwrite.examples.firststeps;

import io.github.fencedwrite.examples.servers.Postgres;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.util.List;
import java.util.stream.Stream;

/** Three Redis nodes and an empty database, and their addresses as the programs take them. */
final class OnNewServers implements AutoCloseable {

    private final RedisNodes nodes = RedisNodes.start(3);
    final PostgresDatabase database = Postgres.shared().newDatabase();

    /** Runs the programs with the given names, one after the other. */
    public static void main(String... names) throws ReflectiveOperationException {
        try (OnNewServers servers = new OnNewServers()) {
            for (String name : List.of(names)) {
                System.out.println("== " + name);
                Class.forName(OnNewServers.class.getPackageName() + "." + name)
                        .getMethod("main", String[].class)
                        .invoke(null, (Object) servers.addresses());
            }
        }
    }

    /** The addresses of the Redis nodes alone. */
    List<String> nodes() {
        return nodes.uris();
    }

    String[] addresses() {
        String login = "user=" + database.user() + "&password=" + database.password();
        String url = database.jdbcUrl();
        return Stream.concat(Stream.of(url + (url.contains("?") ? "&" : "?") + login), nodes.uris().stream())
                .toArray(String[]::new);
    }

    @Override
    public void close() {
        database.close();
        nodes.close();
    }
}
