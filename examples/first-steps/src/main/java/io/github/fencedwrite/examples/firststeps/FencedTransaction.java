package io.github.fencedwrite.examples.firststeps;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.jdbi.FencedTransactions;
import io.github.fencedwrite.jdbi.Fencing;
import io.github.fencedwrite.jdbi.FencingPlugin;
import java.time.Duration;
import org.jdbi.v3.core.Jdbi;

/** Writes several tables with plain statements, inserts among them: level 3, a fence row. */
public final class FencedTransaction {

    private static final Duration TTL = Duration.ofSeconds(5);
    private static final Duration WAIT = Duration.ofSeconds(20);

    private FencedTransaction() {}

    /** Sells two pieces of 4711 and records the sale. */
    public static void main(String... args) {
        Jdbi jdbi = Jdbi.create(InventoryTable.createIn(args[0])).installPlugin(new FencingPlugin());
        try (FencedLocks locks = FencedLocks.builder()
                .nodes(InventoryTable.nodes(args))
                .maxTtl(TTL)
                .build()) {
            FencedTransactions transactions = Fencing.of(jdbi).withLocks(locks::acquire);
            int left = transactions.inLockedTransaction("sku:4711", TTL, WAIT, handle -> {
                handle.execute("INSERT INTO sale (sku, quantity) VALUES ('4711', 2)");
                return handle.createUpdate("UPDATE inventory SET stock = stock - 2 WHERE sku = '4711'")
                        .executeAndReturnGeneratedKeys("stock")
                        .mapTo(Integer.class)
                        .one();
            });
            System.out.println("sold two, " + left + " left");
        }
    }
}
