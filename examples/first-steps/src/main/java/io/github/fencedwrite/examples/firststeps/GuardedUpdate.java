package io.github.fencedwrite.examples.firststeps;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.Fenced;
import io.github.fencedwrite.jdbi.FencingPlugin;
import java.time.Duration;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** Sets a value that does not depend on what was there: level 1, a guarded statement. */
public final class GuardedUpdate {

    interface InventoryDao {
        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        void setStock(String sku, int stock, FencingToken token);
    }

    private static final Duration TTL = Duration.ofSeconds(5);
    private static final Duration WAIT = Duration.ofSeconds(20);

    private GuardedUpdate() {}

    /** Says that 4711 was counted, and that there are 42 pieces. */
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
            dao.setStock("4711", 42, lease.token());
            System.out.println("42 pieces, written with token " + lease.token());
        }
    }
}
