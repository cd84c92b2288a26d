package io.github.fencedwrite.examples.inventory.alternatives;

import org.jdbi.v3.core.Jdbi;

/**
 * A transaction advisory lock. Right where there is no one row to lock, for example for several tables or a row that
 * is yet to come. As with {@code FOR UPDATE} it ends with the transaction; unlike it, it does not hold up writers
 * that do not ask for it.
 */
final class AdvisoryLockShelf {

    private final Jdbi jdbi;

    AdvisoryLockShelf(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    boolean take(String sku, int quantity) {
        return jdbi.inTransaction(handle -> {
            handle.execute("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", "shelf:" + sku);
            int available = handle.select("SELECT available FROM shelf WHERE sku = ?", sku)
                    .mapTo(Integer.class)
                    .one();
            if (available < quantity) {
                return false;
            }
            handle.execute("UPDATE shelf SET available = ? WHERE sku = ?", available - quantity, sku);
            return true;
        });
    }
}
