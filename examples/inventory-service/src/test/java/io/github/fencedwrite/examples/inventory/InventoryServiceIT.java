package io.github.fencedwrite.examples.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.examples.servers.Data;
import io.github.fencedwrite.examples.servers.Postgres;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import io.github.fencedwrite.examples.servers.RedisNodes;
import io.github.fencedwrite.jdbi.FencingPlugin;
import io.github.fencedwrite.jdbi.StaleTokenException;
import io.github.fencedwrite.migrations.FencingMigrations;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.flywaydb.core.Flyway;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

@Tag("contract")
class InventoryServiceIT {

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration WAIT = Duration.ofSeconds(20);

    private RedisNodes nodes;
    private PostgresDatabase database;
    private Jdbi jdbi;

    @BeforeEach
    void start() {
        nodes = RedisNodes.start(5);
        database = Postgres.shared().newDatabase();
        FencingMigrations.on(database.dataSource()).install();
        Flyway.configure().dataSource(database.dataSource()).load().migrate();
        jdbi = Jdbi.create(database.dataSource())
                .installPlugin(new SqlObjectPlugin())
                .installPlugin(new FencingPlugin());
        jdbi.useHandle(handle -> handle.execute("INSERT INTO inventory (sku, stock) VALUES ('4711', 100)"));
    }

    @AfterEach
    void stop() {
        database.close();
        nodes.close();
    }

    @Test
    void sellsWhatIsThereAndNoMore() {
        try (FencedLocks locks = locks()) {
            InventoryService service = service(locks, (row, quantity) -> true);

            assertThat(service.reserve("4711", 60)).isEqualTo(new Reservation(true, 40));
            assertThat(service.reserve("4711", 60)).isEqualTo(new Reservation(false, 40));
        }
    }

    @Test
    void keepsAnExactCountWhenManySellAtOnce() throws Exception {
        int sellers = 4;
        int salesEach = 20;
        ExecutorService executor = Executors.newFixedThreadPool(sellers);
        try (FencedLocks one = locks();
                FencedLocks two = locks()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < sellers; i++) {
                InventoryService service = service(i % 2 == 0 ? one : two, (row, quantity) -> true);
                running.add(executor.submit(() -> {
                    for (int sale = 0; sale < salesEach; sale++) {
                        service.reserve("4711", 1);
                    }
                }));
            }
            for (Future<?> seller : running) {
                seller.get();
            }
        } finally {
            executor.shutdownNow();
        }
        assertThat(stock()).isEqualTo(100 - sellers * salesEach);
    }

    @Test
    void takesOnlyTheNewerOfTwoHoldersWhoBothBelieveThatTheyHoldTheLock() {
        nodes.get(3).kill();
        nodes.get(4).kill();
        Lease a;
        try (FencedLocks locksOfA = locks()) {
            a = locksOfA.acquire("sku:4711", TTL, Duration.ZERO);
        } // gone like a stopped process: a client that runs would bring the nodes that were down up to its token
        nodes.get(3).restart(Data.KEPT);
        nodes.get(4).restart(Data.KEPT);
        deleteLockOn(2);
        try (FencedLocks locksOfB = locks();
                Lease b = locksOfB.acquire("sku:4711", TTL, Duration.ZERO)) {
            assertThat(a.isValid()).isTrue();
            assertThat(b.isValid()).isTrue();
            assertThat(b.token().isNewerThan(a.token())).isTrue();

            InventoryDao dao = jdbi.onDemand(InventoryDao.class);
            dao.claim("4711", a);
            dao.claim("4711", b);
            dao.setStock("4711", 42, b);

            assertThatThrownBy(() -> dao.setStock("4711", 99, a))
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContaining(a.token().toString())
                    .hasMessageContaining(b.token().toString());
            assertThat(stock()).isEqualTo(42);
        }
    }

    /** The clock of node {@code index} jumped beyond the lock's ttl: its key is gone. */
    private void deleteLockOn(int index) {
        try (Jedis jedis = new Jedis(URI.create(nodes.get(index).uri()))) {
            assertThat(jedis.keys("*:lock")).hasSize(1).allSatisfy(jedis::del);
        }
    }

    private FencedLocks locks() {
        return FencedLocks.builder()
                .nodes(nodes.uris())
                .quarantine(!nodes.startedEmpty())
                .build();
    }

    private InventoryService service(FencedLocks locks, Approval approval) {
        return new InventoryService(locks, jdbi, approval, TTL, WAIT);
    }

    private int stock() {
        return jdbi.withHandle(handle -> handle.select("SELECT stock FROM inventory WHERE sku = '4711'")
                .mapTo(Integer.class)
                .one());
    }
}
