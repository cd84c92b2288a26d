package io.github.fencedwrite.examples.inventory.story;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.examples.inventory.Approval;
import io.github.fencedwrite.examples.inventory.InventoryService;
import io.github.fencedwrite.examples.inventory.Reservation;
import io.github.fencedwrite.jdbi.FencingPlugin;
import io.github.fencedwrite.jdbi.StaleTokenException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;

/** One process that sells: its own connections to the nodes and to the database, and one sale. */
final class Holder implements AutoCloseable {

    private static final Duration WAIT_AT_MOST = Duration.ofSeconds(20);

    private final String name;
    private final HikariDataSource dataSource;
    private final Jdbi jdbi;
    private final Ledger ledger;
    private final FencedLocks locks;
    private final Consumer<String> tell;

    /**
     * Connects.
     *
     * @param tell gets one line for each thing that happens
     */
    Holder(String name, Servers servers, Consumer<String> tell) {
        this.name = name;
        this.tell = tell;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(servers.jdbcUrl());
        config.setUsername(servers.user());
        config.setPassword(servers.password());
        config.addDataSourceProperty("ApplicationName", name);
        config.setMaximumPoolSize(2);
        this.dataSource = new HikariDataSource(config);
        this.jdbi = Jdbi.create(dataSource).installPlugin(new SqlObjectPlugin()).installPlugin(new FencingPlugin());
        this.ledger = new Ledger(jdbi);
        this.locks = FencedLocks.builder()
                .nodes(servers.nodes())
                .quarantine(!servers.startedEmpty())
                .listener(new Acquisitions(tell))
                .build();
    }

    /**
     * Sells, and notes in the ledger what was meant and what came of it.
     *
     * @param pause runs between reading and writing
     */
    void sell(Guarding guarding, int quantity, Duration ttl, Runnable pause) {
        String sku = guarding.sku();
        Approval approval = (row, wanted) -> {
            tell.accept("reads stock " + row.stock() + " and wants to sell " + wanted);
            ledger.attempt(sku, name, wanted);
            pause.run();
            return true;
        };
        try {
            Reservation reservation = guarding == Guarding.GUARDED
                    ? new InventoryService(locks, jdbi, approval, ttl, WAIT_AT_MOST).reserve(sku, quantity)
                    : new UnguardedInventory(locks, jdbi, approval, ttl, WAIT_AT_MOST).reserve(sku, quantity);
            ledger.outcome(sku, name, "SOLD");
            tell.accept("writes stock " + reservation.stock() + "; the database says: UPDATE 1");
        } catch (StaleTokenException e) {
            ledger.outcome(sku, name, "STALE");
            tell.accept("is refused; " + e.getMessage());
        }
    }

    @Override
    public void close() {
        locks.close();
        dataSource.close();
    }

    /** Where the servers are; travels to the second process as arguments. */
    record Servers(List<String> nodes, boolean startedEmpty, String jdbcUrl, String user, String password) {

        List<String> toArguments() {
            return List.of(String.join(",", nodes), String.valueOf(startedEmpty), jdbcUrl, user, password);
        }

        static Servers fromArguments(List<String> arguments) {
            return new Servers(
                    List.of(arguments.get(0).split(",")),
                    Boolean.parseBoolean(arguments.get(1)),
                    arguments.get(2),
                    arguments.get(3),
                    arguments.get(4));
        }
    }
}
