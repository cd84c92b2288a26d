package io.github.fencedwrite.examples.firststeps;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.Claim;
import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.Fenced;
import io.github.fencedwrite.jdbi.FencingPlugin;
import java.time.Duration;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** Reads, decides and writes: level 2, a claimed row. */
public final class ClaimedRow {

    interface InventoryDao {
        @Claim
        @SqlQuery("SELECT stock FROM inventory WHERE sku = :sku")
        int claimStock(String sku, Lease lease);

        @Fenced(mode = FenceMode.CLAIMED)
        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        void setStock(String sku, int stock, Lease lease);
    }

    private static final Duration TTL = Duration.ofSeconds(5);
    private static final Duration WAIT = Duration.ofSeconds(20);

    private ClaimedRow() {}

    /** Sells one piece of 4711 if there is one. */
    public static void main(String... args) {
        Jdbi jdbi = Jdbi.create(InventoryTable.createIn(args[0]))
                .installPlugin(new SqlObjectPlugin())
                .installPlugin(new FencingPlugin());
        InventoryDao dao = jdbi.onDemand(InventoryDao.class);
        try (FencedLocks locks = FencedLocks.builder()
                        .nodes(InventoryTable.nodes(args))
                        .maxTtl(TTL)
                        .build();
                Lease lease = locks.acquire("sku:4711", TTL, WAIT)) {
            int stock = dao.claimStock("4711", lease); // from here on the database refuses older holders
            if (stock > 0) {
                dao.setStock("4711", stock - 1, lease);
                System.out.println("sold one, " + (stock - 1) + " left");
            } else {
                System.out.println("sold out");
            }
        }
    }
}
