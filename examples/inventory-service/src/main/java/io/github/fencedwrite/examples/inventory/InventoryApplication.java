package io.github.fencedwrite.examples.inventory;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.examples.inventory.Configuration.Database;
import io.github.fencedwrite.examples.inventory.http.InventoryServer;
import io.github.fencedwrite.examples.inventory.idempotency.IdempotencyKeys;
import io.github.fencedwrite.examples.inventory.locking.Locking;
import io.github.fencedwrite.examples.inventory.operations.Health;
import io.github.fencedwrite.examples.inventory.operations.OperationsRoutes;
import io.github.fencedwrite.examples.inventory.product.ProductRoutes;
import io.github.fencedwrite.examples.inventory.product.ProductService;
import io.github.fencedwrite.examples.inventory.reservation.Approval;
import io.github.fencedwrite.examples.inventory.reservation.ReservationExpiry;
import io.github.fencedwrite.examples.inventory.reservation.ReservationRoutes;
import io.github.fencedwrite.examples.inventory.reservation.ReservationService;
import io.github.fencedwrite.examples.inventory.stock.StockRoutes;
import io.github.fencedwrite.examples.inventory.stock.StockService;
import io.github.fencedwrite.examples.inventory.transfer.TransferRoutes;
import io.github.fencedwrite.examples.inventory.transfer.TransferService;
import io.github.fencedwrite.jdbi.FencingPlugin;
import io.github.fencedwrite.jdbi.WriteListener;
import io.github.fencedwrite.jdbi.micrometer.WriteMetrics;
import io.github.fencedwrite.micrometer.LeaseMetrics;
import io.github.fencedwrite.migrations.FencingFlyway;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;

/**
 * One instance of the service, wired by hand: who needs whom can be read from top to bottom. Several instances can
 * run against the same nodes and the same database.
 */
public final class InventoryApplication implements AutoCloseable {

    private static final Duration EXPIRY_PAUSE = Duration.ofSeconds(1);

    private final HikariDataSource dataSource;
    private final FencedLocks locks;
    private final Health health;
    private final ReservationExpiry expiry;
    private final InventoryServer server;

    private InventoryApplication(
            HikariDataSource dataSource,
            FencedLocks locks,
            Health health,
            ReservationExpiry expiry,
            InventoryServer server) {
        this.dataSource = dataSource;
        this.locks = locks;
        this.health = health;
        this.expiry = expiry;
        this.server = server;
    }

    /** Migrates the database, connects and serves. */
    public static InventoryApplication start(Configuration configuration, Approval approval) {
        return start(configuration, approval, config -> {});
    }

    /**
     * Migrates the database, connects and serves.
     *
     * @param approval the slow part of a reservation
     * @param more adds what else is to be served
     */
    public static InventoryApplication start(
            Configuration configuration, Approval approval, Consumer<JavalinConfig> more) {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        HikariDataSource dataSource = connect(Objects.requireNonNull(configuration.database()), registry);
        try {
            migrate(dataSource);
            return start(configuration, approval, more, registry, dataSource);
        } catch (RuntimeException e) {
            dataSource.close();
            throw e;
        }
    }

    private static InventoryApplication start(
            Configuration configuration,
            Approval approval,
            Consumer<JavalinConfig> more,
            PrometheusMeterRegistry registry,
            HikariDataSource dataSource) {
        LeaseMetrics metrics = new LeaseMetrics(registry);
        FencedLocks locks = FencedLocks.builder()
                .nodes(configuration.redisNodes())
                .maxTtl(configuration.leaseTtl()) // the shorter, the shorter a restarted node is in quarantine
                .listener(metrics)
                .build();
        metrics.watchNodes(locks);
        try {
            return start(configuration, approval, more, registry, dataSource, locks);
        } catch (RuntimeException e) {
            locks.close();
            throw e;
        }
    }

    private static InventoryApplication start(
            Configuration configuration,
            Approval approval,
            Consumer<JavalinConfig> more,
            PrometheusMeterRegistry registry,
            HikariDataSource dataSource,
            FencedLocks locks) {
        Jdbi jdbi = jdbi(dataSource, new WriteMetrics(registry, "product", "stock"));
        Locking locking = new Locking(locks, jdbi, configuration.leaseTtl(), configuration.lockWait());

        IdempotencyKeys keys = new IdempotencyKeys(jdbi);
        ProductService products = new ProductService(locking, jdbi);
        StockService stock = new StockService(locking, jdbi, products);
        ReservationService reservations = new ReservationService(
                locking, jdbi, stock, keys, approval, configuration.reservationLifetime(), InstantSource.system());
        TransferService transfers = new TransferService(locking, jdbi, stock, keys);

        Health health = new Health(locks, dataSource);
        InventoryServer server = InventoryServer.start(configuration, registry, config -> {
            RoutesConfig routes = config.routes;
            new ProductRoutes(products).addTo(routes);
            new StockRoutes(stock).addTo(routes);
            new ReservationRoutes(reservations).addTo(routes);
            new TransferRoutes(transfers).addTo(routes);
            new OperationsRoutes(health, registry).addTo(routes);
            more.accept(config);
        });
        ReservationExpiry expiry = ReservationExpiry.start(reservations, EXPIRY_PAUSE);
        return new InventoryApplication(dataSource, locks, health, expiry, server);
    }

    private static HikariDataSource connect(Database database, MeterRegistry registry) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setConnectionTimeout(3_000); // ms; a request is refused rather than kept waiting
        config.addDataSourceProperty("ApplicationName", "inventory");
        config.addDataSourceProperty("socketTimeout", "20"); // s; a database that hangs keeps no thread for ever
        // an instance that is stopped in the middle of a transaction keeps its rows locked no longer than this
        config.setConnectionInitSql("SET idle_in_transaction_session_timeout = '10s'");
        config.setMetricRegistry(registry);
        return new HikariDataSource(config);
    }

    /** Installs the schema of fenced-write and migrates the tables of this service, in this order. */
    public static void migrate(DataSource dataSource) {
        Flyway.configure()
                .dataSource(dataSource)
                .callbacks(FencingFlyway.callback())
                .load()
                .migrate();
    }

    /** Jdbi as this service uses it, without anybody who counts. */
    public static Jdbi jdbi(DataSource dataSource) {
        return jdbi(dataSource, (target, outcome) -> {});
    }

    /** Jdbi as this service uses it; announcing, since the table {@code product} is strict (level 4). */
    private static Jdbi jdbi(DataSource dataSource, WriteListener listener) {
        return Jdbi.create(dataSource)
                .installPlugin(new SqlObjectPlugin())
                .installPlugin(FencingPlugin.announcing().listener(listener));
    }

    /** Where HTTP is served. */
    public int port() {
        return server.port();
    }

    /**
     * Ends gracefully: no longer ready, takes no new requests, lets those that run finish, gives back what leases are
     * left, and closes the connections, in this order. Idempotent.
     */
    @Override
    public void close() {
        health.closing();
        server.close();
        expiry.close();
        locks.close();
        dataSource.close();
    }
}
