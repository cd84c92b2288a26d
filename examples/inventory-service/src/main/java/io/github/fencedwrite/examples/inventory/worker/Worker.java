package io.github.fencedwrite.examples.inventory.worker;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.LockNotAcquiredException;
import io.github.fencedwrite.examples.inventory.InventoryApplication;
import io.github.fencedwrite.examples.inventory.idempotency.IdempotencyKeys;
import io.github.fencedwrite.examples.inventory.idempotency.IdempotentRequest;
import io.github.fencedwrite.examples.inventory.locking.Locking;
import io.github.fencedwrite.examples.inventory.product.ProductService;
import io.github.fencedwrite.examples.inventory.reservation.Approval;
import io.github.fencedwrite.examples.inventory.reservation.ReservationService;
import io.github.fencedwrite.examples.inventory.stock.Quantity;
import io.github.fencedwrite.examples.inventory.stock.Stock;
import io.github.fencedwrite.examples.inventory.stock.StockKey;
import io.github.fencedwrite.examples.inventory.stock.StockService;
import io.github.fencedwrite.examples.inventory.worker.WorkerEvent.Kind;
import io.github.fencedwrite.jdbi.StaleTokenException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/** One process that sells: its own connections to the nodes and to the database, and one sale after the other. */
final class Worker implements AutoCloseable {

    private final String name;
    private final HikariDataSource dataSource;
    private final Ledger ledger;
    private final FencedLocks locks;
    private final ReservationService reservations;
    private final UnclaimedReservations unclaimed;
    private final UnguardedReservations unguarded;
    private final WorkerTells tells;
    private final Thinking thinking;

    /**
     * Connects.
     *
     * @param thinking what it does between reading and writing
     */
    Worker(String name, WorkerServers servers, WorkerTells tells, Thinking thinking) {
        this.name = name;
        this.tells = tells;
        this.thinking = thinking;
        this.dataSource = connect(name, servers);
        Jdbi jdbi = InventoryApplication.jdbi(dataSource);
        this.ledger = new Ledger(jdbi);
        this.locks = FencedLocks.builder()
                .nodes(servers.nodes())
                .maxTtl(servers.leaseTtl())
                .quarantine(servers.quarantine())
                .listener(tells)
                .build();
        Locking locking = new Locking(locks, jdbi, servers.leaseTtl(), servers.lockWait()).withoutRetry();
        StockService stock = new StockService(locking, jdbi, new ProductService(locking, jdbi));
        Approval approval = this::think;
        this.reservations = new ReservationService(
                locking,
                jdbi,
                stock,
                new IdempotencyKeys(jdbi),
                approval,
                Duration.ofMinutes(15),
                InstantSource.system());
        this.unclaimed = new UnclaimedReservations(locking, jdbi, approval);
        this.unguarded = new UnguardedReservations(locking, jdbi, approval);
    }

    private static HikariDataSource connect(String name, WorkerServers servers) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(servers.database().jdbcUrl());
        config.setUsername(servers.database().user());
        config.setPassword(servers.database().password());
        config.addDataSourceProperty("ApplicationName", name);
        config.setMaximumPoolSize(2);
        config.setConnectionTimeout(5_000);
        return new HikariDataSource(config);
    }

    private boolean think(Stock stock, Quantity quantity) {
        tells.read(stock);
        ledger.attempt(stock.key(), name, quantity.pieces());
        thinking.think();
        return true;
    }

    /** Sells, and notes in the ledger what was meant and what came of it. */
    void sell(WorkerCommand command) {
        StockKey key = new StockKey(command.warehouse(), command.sku());
        tells.begin(command);
        try {
            reserve(key, new Quantity(command.quantity()), command.guard());
            ledger.outcome(key, name, "SOLD");
            tells.accepted();
        } catch (StaleTokenException e) {
            ledger.outcome(key, name, "STALE");
            tells.refused(e);
        } catch (LockNotAcquiredException e) {
            tells.tell(Kind.NOT_ACQUIRED, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            tells.tell(Kind.FAILED, String.valueOf(e.getMessage()));
        }
        tells.tell(Kind.IDLE, "is idle");
    }

    private void reserve(StockKey key, Quantity quantity, Guard guard) {
        switch (guard) {
            case NONE -> unguarded.reserve(key, quantity);
            case STATEMENT -> unclaimed.reserve(key, quantity);
            case CLAIM ->
                reservations.reserve(IdempotentRequest.of(UUID.randomUUID().toString(), "worker", name), key, quantity);
        }
    }

    @Override
    public void close() {
        locks.close();
        dataSource.close();
    }
}
