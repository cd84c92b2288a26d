package io.github.fencedwrite.examples.firststeps;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.FencedJdbc;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** The claimed row without Jdbi. */
public final class PlainJdbc {

    private static final Duration TTL = Duration.ofSeconds(5);
    private static final Duration WAIT = Duration.ofSeconds(20);

    private PlainJdbc() {}

    /** Sells one piece of 4711 if there is one. */
    public static void main(String... args) throws SQLException {
        DataSource dataSource = InventoryTable.createIn(args[0]);
        FencedJdbc jdbc = FencedJdbc.on(dataSource).mode(FenceMode.CLAIMED);
        try (FencedLocks locks = FencedLocks.builder()
                        .nodes(InventoryTable.nodes(args))
                        .maxTtl(TTL)
                        .build();
                Lease lease = locks.acquire("sku:4711", TTL, WAIT)) {
            List<Integer> stock = jdbc.claim(
                    "SELECT stock FROM inventory WHERE sku = ?", lease.token(), row -> row.getInt("stock"), "4711");
            if (stock.isEmpty() || stock.get(0) == 0) {
                System.out.println("sold out");
            } else {
                int left = stock.get(0) - 1;
                jdbc.updateOrThrow("UPDATE inventory SET stock = ? WHERE sku = ?", lease.token(), left, "4711");
                System.out.println("sold one, " + left + " left");
            }
        }
    }
}
