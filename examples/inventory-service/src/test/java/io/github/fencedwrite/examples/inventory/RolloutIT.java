package io.github.fencedwrite.examples.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.examples.inventory.idempotency.IdempotentRequest;
import io.github.fencedwrite.examples.inventory.reservation.ReservationService;
import io.github.fencedwrite.examples.inventory.reservation.ReservationState;
import io.github.fencedwrite.examples.inventory.stock.Quantity;
import io.github.fencedwrite.examples.inventory.stock.StockKey;
import io.github.fencedwrite.examples.servers.Postgres;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import io.github.fencedwrite.examples.servers.RedisNodes;
import io.github.fencedwrite.migrations.FencingMigrations;
import java.time.Duration;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The rollout of the migrations' README on this service and back, while it sells and is asked for its stock on one
 * pool of connections: no request fails, and no sale is lost.
 */
class RolloutIT {

    private static final int STOCK = 1_000_000;

    private RedisNodes nodes;
    private PostgresDatabase database;
    private HikariDataSource pool;

    @BeforeEach
    void startTheServiceAsItWasBefore() {
        nodes = RedisNodes.start(3);
        database = Postgres.shared().newDatabase();
        pool = new HikariDataSource();
        pool.setDataSource(database.dataSource());
        pool.setMaximumPoolSize(8);
        // as in production: whoever stood in a queue behind a migration would fail
        pool.setConnectionInitSql("SET lock_timeout = '2s'");
        Flyway.configure().dataSource(pool).target("1").load().migrate();
        Jdbi.create(pool).useHandle(handle -> {
            handle.execute("INSERT INTO product SELECT 'sku-' || n, 'Article', 0 FROM generate_series(1, 4) AS n");
            handle.execute("INSERT INTO stock SELECT 'berlin', 'sku-' || n, ? FROM generate_series(1, 4) AS n", STOCK);
        });
    }

    @AfterEach
    void stop() {
        pool.close();
        database.close();
        nodes.close();
    }

    @Test
    void eachStepIsTakenAndTakenBackWithoutOneFailedRequest() throws Exception {
        Jdbi plain = Jdbi.create(pool);
        Jdbi fenced = InventoryApplication.jdbi(pool);
        try (FencedLocks locks = FencedLocks.builder()
                        .nodes(nodes.uris())
                        .quarantine(!nodes.startedEmpty())
                        .build();
                Business business = new Business(plain)) {
            ReservationService reservations = Services.of(locks, fenced, Duration.ofSeconds(10), Duration.ofSeconds(60))
                    .reservations();

            FencingMigrations.on(pool).install();
            business.assertGoesOn();
            step(business, "SELECT fencing.protect('public.stock')");
            business.sellBy(sku -> reserve(reservations, sku));
            step(business, "SELECT fencing.enforce('public.stock', 'monotonic')");
            step(business, "SELECT fencing.enforce('public.stock', 'strict')");

            step(business, "SELECT fencing.enforce('public.stock', 'monotonic')");
            step(business, "SELECT fencing.relax('public.stock')");
            business.sellWithoutTokens();
            step(business, "SELECT fencing.unprotect('public.stock')");
            step(business, "DROP SCHEMA fencing CASCADE");

            int sold = business.stop();
            int left = plain.withHandle(handle -> handle.createQuery("SELECT sum(available) FROM stock")
                    .mapTo(Integer.class)
                    .one());
            assertThat(left).isEqualTo(4 * STOCK - sold);
        }
    }

    private static boolean reserve(ReservationService reservations, String sku) {
        IdempotentRequest request = IdempotentRequest.of(UUID.randomUUID().toString(), sku);
        StockKey stock = new StockKey("berlin", sku);
        return reservations.reserve(request, stock, new Quantity(1)).state() == ReservationState.PENDING;
    }

    private void step(Business business, String sql) {
        Jdbi.create(database.dataSource()).useHandle(handle -> handle.execute(sql));
        business.assertGoesOn();
    }
}
