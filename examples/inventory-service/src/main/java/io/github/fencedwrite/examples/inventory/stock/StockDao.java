package io.github.fencedwrite.examples.inventory.stock;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.Claim;
import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.Fenced;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.sqlobject.config.RegisterConstructorMapper;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/**
 * The table {@code stock}. One table, one regime: each statement that writes it carries the token, in transactions
 * behind a fence row, too. A single plain UPDATE would leave the row's token as it is and open it to a holder who is
 * stale.
 */
@RegisterConstructorMapper(Stock.class)
public interface StockDao {

    /** All stock of a warehouse. */
    @SqlQuery("SELECT warehouse, sku, available FROM stock WHERE warehouse = :warehouse ORDER BY sku LIMIT :limit")
    List<Stock> list(String warehouse, int limit);

    /** One row, as it is now. To decide on it, claim it instead. */
    @SqlQuery("SELECT warehouse, sku, available FROM stock WHERE warehouse = :warehouse AND sku = :sku")
    Optional<Stock> find(@BindMethods StockKey key);

    /** Whether there is such a warehouse. */
    @SqlQuery("SELECT EXISTS (SELECT FROM warehouse WHERE code = :warehouse)")
    boolean hasWarehouse(String warehouse);

    /** Level 1, a blind write: the number was counted in the warehouse and does not depend on the old one. */
    @Fenced
    @SqlUpdate("""
            INSERT INTO stock (warehouse, sku, available) VALUES (:warehouse, :sku, :available)
            ON CONFLICT (warehouse, sku) DO UPDATE SET available = EXCLUDED.available
            """)
    void put(@BindMethods Stock stock, Lease lease);

    /** Level 2, the claim: reads the row and makes the database know the token, so that older holders are refused. */
    @Claim
    @SqlQuery("SELECT warehouse, sku, available FROM stock WHERE warehouse = :warehouse AND sku = :sku")
    Optional<Stock> claim(@BindMethods StockKey key, Lease lease);

    /** Level 2, the write: only if the claim of this very lease is still the last one. */
    @Fenced(mode = FenceMode.CLAIMED)
    @SqlUpdate("UPDATE stock SET available = :available WHERE warehouse = :warehouse AND sku = :sku")
    void setClaimed(@BindMethods Stock stock, Lease lease);

    /**
     * Level 1, a relative write: right whatever the number is, and stamped, so that level 3 keeps out stale level 1,
     * too.
     */
    @Fenced
    @SqlUpdate("UPDATE stock SET available = available + :pieces WHERE warehouse = :warehouse AND sku = :sku")
    void add(@BindMethods StockKey key, @BindMethods Quantity quantity, FencingToken token);
}
