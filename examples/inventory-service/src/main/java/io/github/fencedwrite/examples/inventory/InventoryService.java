package io.github.fencedwrite.examples.inventory;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.Lease;
import java.time.Duration;
import org.jdbi.v3.core.Jdbi;

/** Sells stock under a lease, with writes that a stale holder cannot make. Safe for use by many threads. */
public final class InventoryService {

    private final FencedLocks locks;
    private final InventoryDao dao;
    private final Approval approval;
    private final Duration ttl;
    private final Duration waitAtMost;

    /**
     * Creates the service.
     *
     * @param jdbi with the SqlObjectPlugin and the FencingPlugin installed
     * @param ttl how long a lease lasts, longer than reading, approval and writing usually take
     * @param waitAtMost how long to wait for another holder
     */
    public InventoryService(FencedLocks locks, Jdbi jdbi, Approval approval, Duration ttl, Duration waitAtMost) {
        this.locks = locks;
        this.dao = jdbi.onDemand(InventoryDao.class);
        this.approval = approval;
        this.ttl = ttl;
        this.waitAtMost = waitAtMost;
    }

    /**
     * Takes {@code quantity} of {@code sku} out of stock, if there is enough and the sale is approved.
     *
     * @throws io.github.fencedwrite.LockNotAcquiredException if the lock is not to be had in time; nothing was written
     * @throws io.github.fencedwrite.jdbi.StaleTokenException if another holder has taken over meanwhile; nothing was written
     */
    public Reservation reserve(String sku, int quantity) {
        try (Lease lease = locks.acquire("sku:" + sku, ttl, waitAtMost)) {
            Inventory row = dao.claim(sku, lease); // from here on the database refuses older tokens
            if (row.stock() < quantity || !approval.approves(row, quantity)) {
                return new Reservation(false, row.stock());
            }
            int left = row.stock() - quantity;
            dao.setStock(sku, left, lease);
            return new Reservation(true, left);
        }
    }
}
