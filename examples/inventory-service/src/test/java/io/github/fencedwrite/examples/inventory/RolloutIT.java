package io.github.fencedwrite.examples.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.examples.servers.Postgres;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import io.github.fencedwrite.examples.servers.RedisNodes;
import io.github.fencedwrite.jdbi.FencingPlugin;
import io.github.fencedwrite.migrations.FencingMigrations;
import java.time.Duration;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The rollout of the migrations' README on this service and back, while it sells and is asked for its stock on one pool of
 * connections: no request fails, and no sale is lost.
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
        Jdbi.create(pool).useHandle(handle -> {
            handle.execute("CREATE TABLE inventory (sku text PRIMARY KEY, stock integer NOT NULL CHECK (stock >= 0))");
            handle.execute("INSERT INTO inventory SELECT 'sku-' || n, ? FROM generate_series(1, 4) AS n", STOCK);
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
        Jdbi fenced = Jdbi.create(pool).installPlugin(new SqlObjectPlugin()).installPlugin(FencingPlugin.announcing());
        try (FencedLocks locks = FencedLocks.builder()
                        .nodes(nodes.uris())
                        .quarantine(!nodes.startedEmpty())
                        .build();
                Business business = new Business(plain)) {
            InventoryService service = new InventoryService(
                    locks, fenced, (row, quantity) -> true, Duration.ofSeconds(10), Duration.ofSeconds(60));

            FencingMigrations.on(pool).install();
            business.assertGoesOn();
            step(business, "SELECT fencing.protect('public.inventory')");
            business.sellBy(sku -> service.reserve(sku, 1).granted());
            step(business, "SELECT fencing.enforce('public.inventory', 'monotonic')");
            step(business, "SELECT fencing.enforce('public.inventory', 'strict')");

            step(business, "SELECT fencing.enforce('public.inventory', 'monotonic')");
            step(business, "SELECT fencing.relax('public.inventory')");
            business.sellWithoutTokens();
            step(business, "SELECT fencing.unprotect('public.inventory')");
            step(business, "DROP SCHEMA fencing CASCADE");

            int sold = business.stop();
            int left = plain.withHandle(handle -> handle.createQuery("SELECT sum(stock) FROM inventory")
                    .mapTo(Integer.class)
                    .one());
            assertThat(left).isEqualTo(4 * STOCK - sold);
        }
    }

    private void step(Business business, String sql) {
        Jdbi.create(database.dataSource()).useHandle(handle -> handle.execute(sql));
        business.assertGoesOn();
    }
}
