package io.github.fencedwrite.examples.tokens;

import java.util.UUID;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/**
 * The recipe without a number: each holder writes a random id of its own into the row, reads, and then writes on condition
 * that its id is still there. No update is lost.
 *
 * <p>It cannot tell which of two holders is the newer one. An old holder that wakes up late puts its id over the newer
 * holder's, and it is the newer one that is refused. A write without the claim before it cannot be guarded at all.
 */
public interface OwnedStock {

    /** Takes the row over from anybody, and reads it. */
    @SqlQuery("UPDATE owned_inventory SET owner = :owner WHERE sku = :sku RETURNING stock")
    int claim(String sku, UUID owner);

    /** Writes the row unless another holder has taken it over; tells whether it did. */
    @SqlUpdate("UPDATE owned_inventory SET stock = :stock WHERE sku = :sku AND owner = :owner")
    boolean set(String sku, int stock, UUID owner);
}
