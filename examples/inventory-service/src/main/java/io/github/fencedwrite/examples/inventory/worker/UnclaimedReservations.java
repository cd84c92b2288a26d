package io.github.fencedwrite.examples.inventory.worker;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.examples.inventory.locking.Locking;
import io.github.fencedwrite.examples.inventory.reservation.Approval;
import io.github.fencedwrite.examples.inventory.stock.Quantity;
import io.github.fencedwrite.examples.inventory.stock.Stock;
import io.github.fencedwrite.examples.inventory.stock.StockKey;
import io.github.fencedwrite.jdbi.Fenced;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/**
 * Reservations whose write is guarded and whose reading is not: level 1 used for what needs level 2. If a newer
 * holder reads before the older one writes, both writes are in the right order, both are accepted, and one sale is
 * lost. Here for comparison; do not copy it.
 */
final class UnclaimedReservations {

    private final Locking locking;
    private final Reading reading;
    private final Writing writing;
    private final Approval approval;

    UnclaimedReservations(Locking locking, Jdbi jdbi, Approval approval) {
        this.locking = locking;
        this.reading = new Reading(jdbi);
        this.writing = jdbi.onDemand(Writing.class);
        this.approval = approval;
    }

    void reserve(StockKey key, Quantity quantity) {
        try (Lease lease = locking.acquire(key.resource())) {
            Stock before = reading.read(key);
            Stock after = before.minus(quantity);
            if (approval.approves(before, quantity)) {
                writing.set(after, lease);
            }
        }
    }

    interface Writing {

        @Fenced
        @SqlUpdate("UPDATE stock SET available = :available WHERE warehouse = :warehouse AND sku = :sku")
        void set(@BindMethods Stock stock, Lease lease);
    }
}
