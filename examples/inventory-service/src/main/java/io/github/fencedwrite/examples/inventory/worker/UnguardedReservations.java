package io.github.fencedwrite.examples.inventory.worker;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.examples.inventory.locking.Locking;
import io.github.fencedwrite.examples.inventory.reservation.Approval;
import io.github.fencedwrite.examples.inventory.stock.Quantity;
import io.github.fencedwrite.examples.inventory.stock.Stock;
import io.github.fencedwrite.examples.inventory.stock.StockKey;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/**
 * Reservations as they are usually written: the same lock around the same work, and nothing that tells the database
 * who the holder is. Here for comparison; do not copy it.
 */
final class UnguardedReservations {

    private final Locking locking;
    private final Reading reading;
    private final Writing writing;
    private final Approval approval;

    UnguardedReservations(Locking locking, Jdbi jdbi, Approval approval) {
        this.locking = locking;
        this.reading = new Reading(jdbi);
        this.writing = jdbi.onDemand(Writing.class);
        this.approval = approval;
    }

    void reserve(StockKey key, Quantity quantity) {
        try (Lease ignored = locking.acquire(key.resource())) {
            Stock before = reading.read(key);
            Stock after = before.minus(quantity);
            if (approval.approves(before, quantity)) {
                writing.set(after);
            }
        }
    }

    interface Writing {

        @SqlUpdate("UPDATE stock SET available = :available WHERE warehouse = :warehouse AND sku = :sku")
        void set(@BindMethods Stock stock);
    }
}
