package io.github.fencedwrite.examples.inventory.alternatives;

import org.jdbi.v3.core.Jdbi;

/**
 * {@code SELECT … FOR UPDATE}. Right where the database is all that is protected and the decision takes milliseconds:
 * the row lock ends with the transaction, so no holder can outlive it. Who thinks for seconds keeps a connection and
 * a transaction open.
 */
final class LockedRowShelf {

    private final Jdbi jdbi;

    LockedRowShelf(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    boolean take(String sku, int quantity) {
        return jdbi.inTransaction(handle -> {
            int available = handle.select("SELECT available FROM shelf WHERE sku = ? FOR UPDATE", sku)
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
