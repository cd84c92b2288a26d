package io.github.fencedwrite.examples.inventory.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.examples.inventory.InventoryApplication;
import io.github.fencedwrite.examples.inventory.RejectedException;
import io.github.fencedwrite.examples.inventory.Services;
import io.github.fencedwrite.examples.inventory.idempotency.IdempotentRequest;
import io.github.fencedwrite.examples.inventory.product.Product;
import io.github.fencedwrite.examples.inventory.stock.Quantity;
import io.github.fencedwrite.examples.inventory.stock.Stock;
import io.github.fencedwrite.examples.inventory.stock.StockDao;
import io.github.fencedwrite.examples.inventory.stock.StockKey;
import io.github.fencedwrite.examples.servers.Postgres;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import io.github.fencedwrite.examples.servers.RedisNodes;
import io.github.fencedwrite.jdbi.StaleTokenException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

@Tag("contract")
class ReservationServiceIT {

    private static final StockKey KEY = new StockKey("berlin", "4711");
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration WAIT = Duration.ofSeconds(20);

    private RedisNodes nodes;
    private PostgresDatabase database;
    private Jdbi jdbi;

    @BeforeEach
    void start() {
        nodes = RedisNodes.start(5);
        database = Postgres.shared().newDatabase();
        InventoryApplication.migrate(database.dataSource());
        jdbi = InventoryApplication.jdbi(database.dataSource());
        try (FencedLocks locks = locks()) {
            Services services = services(locks);
            services.products().put(new Product("4711", "Lamp", 1990));
            services.stock().put(new Stock("berlin", "4711", 100));
        }
    }

    @AfterEach
    void stop() {
        database.close();
        nodes.close();
    }

    @Test
    void sellsWhatIsThereAndNoMore() {
        try (FencedLocks locks = locks()) {
            ReservationService reservations = services(locks).reservations();

            assertThat(reservations.reserve(request(), KEY, new Quantity(60)).state())
                    .isEqualTo(ReservationState.PENDING);
            assertThatThrownBy(() -> reservations.reserve(request(), KEY, new Quantity(60)))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("has 40");
            assertThat(stock()).isEqualTo(40);
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
                ReservationService reservations =
                        services(i % 2 == 0 ? one : two).reservations();
                running.add(executor.submit(() -> {
                    for (int sale = 0; sale < salesEach; sale++) {
                        reservations.reserve(request(), KEY, new Quantity(1));
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
        Duration ttl = Duration.ofSeconds(30); // longer than all this takes
        try (FencedLocks locksOfA = locks();
                FencedLocks locksOfB = locks();
                Lease a = locksOfA.acquire(KEY.resource(), ttl, WAIT)) {
            for (int i = 0; i < 3; i++) {
                deleteLockOn(i);
            }
            Lease b = locksOfB.acquire(KEY.resource(), ttl, WAIT);
            assertThat(a.isValid()).isTrue();
            assertThat(b.isValid()).isTrue();
            assertThat(b.token().isNewerThan(a.token())).isTrue();

            StockDao dao = jdbi.onDemand(StockDao.class);
            dao.claim(KEY, a);
            dao.claim(KEY, b);
            dao.setClaimed(new Stock("berlin", "4711", 42), b);

            assertThatThrownBy(() -> dao.setClaimed(new Stock("berlin", "4711", 99), a))
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContaining(a.token().toString())
                    .hasMessageContaining(b.token().toString());
            assertThat(stock()).isEqualTo(42);
        }
    }

    /** The clock of node {@code index} jumped beyond the lock's ttl: its key is gone. */
    private void deleteLockOn(int index) {
        try (Jedis jedis = new Jedis(URI.create(nodes.get(index).uri()))) {
            assertThat(jedis.keys("*stock*:lock")).hasSize(1).allSatisfy(jedis::del);
        }
    }

    private FencedLocks locks() {
        return FencedLocks.builder()
                .nodes(nodes.uris())
                .quarantine(!nodes.startedEmpty())
                .build();
    }

    private Services services(FencedLocks locks) {
        return Services.of(locks, jdbi, TTL, WAIT);
    }

    private static IdempotentRequest request() {
        return IdempotentRequest.of(UUID.randomUUID().toString(), "test");
    }

    private int stock() {
        return jdbi.withHandle(handle -> handle.select("SELECT available FROM stock WHERE sku = '4711'")
                .mapTo(Integer.class)
                .one());
    }
}
