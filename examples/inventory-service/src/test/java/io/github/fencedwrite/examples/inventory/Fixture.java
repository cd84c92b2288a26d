package io.github.fencedwrite.examples.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.examples.inventory.reservation.Approval;
import io.github.fencedwrite.examples.servers.Postgres;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Jdbi;

/** Nodes, a database, and instances of the service on them; for one test. */
public final class Fixture implements AutoCloseable {

    public static final Duration TTL = Duration.ofSeconds(2);

    public final RedisNodes nodes;
    public final Postgres postgres;
    public final PostgresDatabase database;
    private final List<InventoryApplication> instances = new ArrayList<>();

    private Fixture(RedisNodes nodes, Postgres postgres) {
        this.nodes = nodes;
        this.postgres = postgres;
        this.database = postgres.newDatabase();
    }

    /** On the PostgreSQL of all tests. */
    public static Fixture create() {
        return new Fixture(RedisNodes.start(3), Postgres.shared());
    }

    /** On a PostgreSQL that can be killed. */
    public static Fixture withOwnPostgres(int nodes) {
        return new Fixture(RedisNodes.start(nodes), Postgres.start());
    }

    /** The environment of an instance that is a process of its own. */
    public Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>();
        environment.put("HOST", "127.0.0.1");
        environment.put("PORT", "0");
        environment.put("REDIS_NODES", String.join(",", nodes.uris()));
        environment.put("DATABASE_URL", database.jdbcUrl());
        environment.put("DATABASE_USER", database.user());
        environment.put("DATABASE_PASSWORD", database.password());
        environment.put("LEASE_TTL", TTL.toString());
        return environment;
    }

    /** Starts an instance that approves everything. */
    public Api start() {
        return start(Map.of(), (stock, quantity) -> true);
    }

    /** Starts an instance, and waits until it is ready: until the new nodes vote. */
    public Api start(Map<String, String> more, Approval approval) {
        Map<String, String> environment = environment();
        environment.putAll(more);
        InventoryApplication instance = InventoryApplication.start(Configuration.from(environment), approval);
        instances.add(instance);
        Api api = new Api(instance.port());
        await().atMost(Duration.ofMinutes(1)).until(() -> api.get("/ready").status() == 200);
        return api;
    }

    /** Ends the instances gracefully. */
    public void stop() {
        instances.forEach(InventoryApplication::close);
        instances.clear();
    }

    public void stock(Api api, String warehouse, String sku, int available) {
        assertThat(api.put("/products/" + sku, "{\"name\":\"Article\",\"priceCents\":1990}")
                        .status())
                .isEqualTo(200);
        assertThat(api.put("/warehouses/" + warehouse + "/stock/" + sku, "{\"available\":" + available + "}")
                        .status())
                .isEqualTo(200);
    }

    public Jdbi jdbi() {
        return Jdbi.create(database.dataSource());
    }

    public int count(String sql) {
        return jdbi().withHandle(
                        handle -> handle.createQuery(sql).mapTo(Integer.class).one());
    }

    /** All that a request can change, as text. */
    public String contents() {
        return jdbi().withHandle(
                        handle -> handle.createQuery("""
                        SELECT coalesce(string_agg(line, E'\\n' ORDER BY line), '') FROM (
                          SELECT 'stock ' || warehouse || sku || available FROM stock
                          UNION ALL SELECT 'product ' || sku || name || price_cents FROM product
                          UNION ALL SELECT 'reservation ' || id || state FROM reservation
                          UNION ALL SELECT 'transfer ' || id FROM transfer
                          UNION ALL SELECT 'key ' || key || content FROM idempotency_key) AS lines (line)
                        """).mapTo(String.class).one());
    }

    @Override
    public void close() {
        stop();
        database.close();
        postgres.close();
        nodes.close();
    }
}
