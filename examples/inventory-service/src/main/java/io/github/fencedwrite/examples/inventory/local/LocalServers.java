package io.github.fencedwrite.examples.inventory.local;

import io.github.fencedwrite.examples.inventory.Configuration;
import io.github.fencedwrite.examples.inventory.Configuration.Database;
import io.github.fencedwrite.examples.servers.Postgres;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Five Redis nodes and a PostgreSQL on this machine, started empty and gone with the process. */
public final class LocalServers implements AutoCloseable {

    private static final int NODES = 5;

    private final List<LocalNode> nodes;
    private final Postgres postgres;
    private final PostgresDatabase database;

    private LocalServers(List<LocalNode> nodes, Postgres postgres, PostgresDatabase database) {
        this.nodes = List.copyOf(nodes);
        this.postgres = postgres;
        this.database = database;
    }

    /** Starts them: containers where a Docker engine answers, else processes. */
    public static LocalServers start() {
        CompletableFuture<Postgres> postgres = CompletableFuture.supplyAsync(Postgres::start);
        List<LocalNode> nodes = new ArrayList<>();
        try {
            for (int i = 1; i <= NODES; i++) {
                nodes.add(LocalNode.start("redis-" + i));
            }
            return new LocalServers(nodes, postgres.join(), postgres.join().newDatabase());
        } catch (RuntimeException e) {
            nodes.forEach(LocalNode::close);
            var unused = postgres.thenAccept(Postgres::close);
            throw e;
        }
    }

    /** The configuration with the addresses of these servers. */
    public Configuration addTo(Configuration configuration) {
        return configuration.withServers(nodes.stream().map(LocalNode::uri).toList(), databaseAddress());
    }

    /** How to reach the database. */
    public Database databaseAddress() {
        return new Database(database.jdbcUrl(), database.user(), database.password());
    }

    /** The lock nodes, each of which can be broken. */
    public List<LocalNode> nodes() {
        return nodes;
    }

    /** The database server, which can be killed and restarted. */
    public Postgres postgres() {
        return postgres;
    }

    /** The database. */
    public PostgresDatabase database() {
        return database;
    }

    @Override
    public void close() {
        nodes.forEach(LocalNode::close);
        postgres.close();
    }
}
