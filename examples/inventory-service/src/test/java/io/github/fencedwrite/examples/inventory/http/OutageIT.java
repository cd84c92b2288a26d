package io.github.fencedwrite.examples.inventory.http;

import static io.github.fencedwrite.examples.inventory.http.BadInputIT.assertIsProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.examples.inventory.Api;
import io.github.fencedwrite.examples.inventory.Api.Answer;
import io.github.fencedwrite.examples.inventory.Fixture;
import io.github.fencedwrite.examples.inventory.InventoryApplication;
import io.github.fencedwrite.examples.inventory.stock.StockDao;
import io.github.fencedwrite.examples.inventory.stock.StockKey;
import io.github.fencedwrite.examples.servers.Data;
import io.github.fencedwrite.examples.servers.RedisNode;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** What the service answers when something that it needs is away, and that it goes on by itself afterwards. */
class OutageIT {

    private static final StockKey KEY = new StockKey("berlin", "4711");

    @Test
    void nodesAway() {
        try (Fixture fixture = Fixture.create()) {
            Api api = fixture.start(Map.of("LOCK_WAIT", "PT1S"), (stock, quantity) -> true);
            fixture.stock(api, "berlin", "4711", 10);
            String id = api.reserve("before", "4711", 1).string("id");
            fixture.nodes.get(0).kill();
            fixture.nodes.get(1).kill();
            String before = fixture.contents();

            assertIsProblem(api.reserve("during", "4711", 1), 503, "lock-nodes-away");
            assertIsProblem(api.post("/reservations/" + id + "/cancel"), 503, "lock-nodes-away");
            assertIsProblem(api.put("/products/4711", "{\"name\":\"x\",\"priceCents\":1}"), 503, "lock-nodes-away");
            assertThat(api.reserve("before", "4711", 1).string("id")).isEqualTo(id); // a repetition needs no lock
            await().until(() -> api.get("/ready").status() == 503);
            assertThat(api.get("/health").string("status")).isEqualTo("DOWN");
            assertThat(fixture.contents()).isEqualTo(before);

            fixture.nodes.get(0).restart(Data.KEPT);
            fixture.nodes.get(1).restart(Data.KEPT);
            await().atMost(Duration.ofMinutes(1)).until(() -> api.get("/ready").status() == 200);
            assertThat(api.reserve("during", "4711", 1).status()).isEqualTo(201);
        }
    }

    @Test
    void databaseAway() {
        try (Fixture fixture = Fixture.withOwnPostgres(3)) {
            Api api = fixture.start();
            fixture.stock(api, "berlin", "4711", 10);
            fixture.postgres.kill();

            assertIsProblem(api.reserve("during", "4711", 1), 503, "database-away");
            assertIsProblem(api.get("/products"), 503, "database-away");
            assertThat(api.get("/ready").status()).isEqualTo(503);
            assertThat(api.get("/health").body().path("database").asBoolean()).isFalse();

            fixture.postgres.restart();
            await().atMost(Duration.ofMinutes(1)).until(() -> api.get("/ready").status() == 200);
            assertThat(api.reserve("during", "4711", 1).status()).isEqualTo(201);
            assertThat(api.available("berlin", "4711")).isEqualTo(9);
        }
    }

    @Test
    void lockHeldByAnother() {
        try (Fixture fixture = Fixture.create();
                FencedLocks others = locks(fixture)) {
            Api api = fixture.start(Map.of("LOCK_WAIT", "PT0.3S"), (stock, quantity) -> true);
            fixture.stock(api, "berlin", "4711", 10);
            String before = fixture.contents();
            try (Lease lease = others.acquire(KEY.resource(), Fixture.TTL, Duration.ofSeconds(10))) {
                Answer answer = api.reserve("during", "4711", 1);
                assertThat(lease.isValid()).isTrue();
                assertIsProblem(answer, 503, "lock-busy");
            }
            assertThat(fixture.contents()).isEqualTo(before);
            assertThat(api.reserve("during", "4711", 1).status()).isEqualTo(201);
        }
    }

    @Test
    void aStaleWriteIsRepeatedOnceUnderANewLease() {
        AtomicInteger approvals = new AtomicInteger();
        try (Fixture fixture = Fixture.create();
                FencedLocks others = locks(fixture)) {
            Api api = fixture.start(Map.of(), (stock, quantity) -> {
                if (approvals.incrementAndGet() == 1) {
                    takeOver(fixture, others);
                }
                return true;
            });
            fixture.stock(api, "berlin", "4711", 10);

            assertThat(api.reserve("key", "4711", 1).status()).isEqualTo(201);

            assertThat(approvals).hasValue(2);
            assertThat(api.available("berlin", "4711")).isEqualTo(9);
            assertThat(fixture.count("SELECT count(*) FROM reservation")).isEqualTo(1);
        }
    }

    @Test
    void aSecondStaleWriteIsToldAndNothingIsWritten() {
        AtomicInteger approvals = new AtomicInteger();
        try (Fixture fixture = Fixture.create();
                FencedLocks others = locks(fixture)) {
            Api api = fixture.start(Map.of(), (stock, quantity) -> {
                approvals.incrementAndGet();
                takeOver(fixture, others);
                return true;
            });
            fixture.stock(api, "berlin", "4711", 10);
            String before = fixture.contents();

            assertIsProblem(api.reserve("key", "4711", 1), 409, "stale-write");

            assertThat(approvals).hasValue(2);
            assertThat(fixture.contents()).isEqualTo(before);
            assertThat(api.get("/metrics").text())
                    .contains("fencedwrite_writes_total{outcome=\"stale\",table=\"stock\"} 2.0");
        }
    }

    /**
     * As after a pause that outlasts the lease: the nodes forget it, another takes the lock, claims the row and
     * releases.
     */
    private static void takeOver(Fixture fixture, FencedLocks others) {
        for (RedisNode node : fixture.nodes.all()) {
            try (Jedis jedis = new Jedis(URI.create(node.uri()))) {
                jedis.del("fenced-write:" + KEY.resource() + ":lock");
            }
        }
        try (Lease lease = others.acquire(KEY.resource(), Fixture.TTL, Duration.ofSeconds(10))) {
            InventoryApplication.jdbi(fixture.database.dataSource())
                    .onDemand(StockDao.class)
                    .claim(KEY, lease);
        }
    }

    private static FencedLocks locks(Fixture fixture) {
        return FencedLocks.builder()
                .nodes(fixture.nodes.uris())
                .maxTtl(Fixture.TTL)
                .build();
    }
}
