package io.github.fencedwrite.examples.inventory;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.Claim;
import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.Fenced;
import org.jdbi.v3.sqlobject.config.RegisterConstructorMapper;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** The table {@code inventory}. */
@RegisterConstructorMapper(Inventory.class)
public interface InventoryDao {

    /** Makes the database know the lease's token before the row is read. */
    @Claim
    @SqlQuery("SELECT sku, stock FROM inventory WHERE sku = :sku")
    Inventory claim(String sku, Lease lease);

    /** Writes a row that was claimed under the same lease. */
    @Fenced(mode = FenceMode.CLAIMED)
    @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
    void setStock(String sku, int stock, Lease lease);
}
