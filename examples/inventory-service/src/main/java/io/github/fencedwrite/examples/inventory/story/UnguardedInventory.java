package io.github.fencedwrite.examples.inventory.story;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.examples.inventory.Approval;
import io.github.fencedwrite.examples.inventory.Inventory;
import io.github.fencedwrite.examples.inventory.Reservation;
import java.time.Duration;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;

/**
 * The service as it is usually written: the same lock around the same work, and nothing that tells the database who the
 * holder is. Here for comparison.
 */
final class UnguardedInventory {

    private final FencedLocks locks;
    private final Jdbi jdbi;
    private final Approval approval;
    private final Duration ttl;
    private final Duration waitAtMost;

    UnguardedInventory(FencedLocks locks, Jdbi jdbi, Approval approval, Duration ttl, Duration waitAtMost) {
        this.locks = locks;
        this.jdbi = jdbi;
        this.approval = approval;
        this.ttl = ttl;
        this.waitAtMost = waitAtMost;
    }

    Reservation reserve(String sku, int quantity) {
        try (Lease ignored = locks.acquire("sku:" + sku, ttl, waitAtMost)) {
            Inventory row = jdbi.withHandle(handle -> find(handle, sku));
            if (row.stock() < quantity || !approval.approves(row, quantity)) {
                return new Reservation(false, row.stock());
            }
            int left = row.stock() - quantity;
            jdbi.useHandle(handle -> handle.createUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
                    .bind("stock", left)
                    .bind("sku", sku)
                    .execute());
            return new Reservation(true, left);
        }
    }

    private static Inventory find(Handle handle, String sku) {
        return handle.createQuery("SELECT sku, stock FROM inventory WHERE sku = :sku")
                .bind("sku", sku)
                .map(ConstructorMapper.of(Inventory.class))
                .one();
    }
}
