package io.github.fencedwrite.examples.inventory.worker;

import io.github.fencedwrite.examples.inventory.stock.StockKey;
import org.jdbi.v3.core.Jdbi;

/**
 * The stories' bookkeeping in the database: what was meant, what was told, and what happened to the rows. Thread
 * safe.
 */
public final class Ledger {

    private final Jdbi jdbi;

    /** Creates the access to the tables of {@code db/story}. */
    public Ledger(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    /** Notes what a worker is about to write. */
    void attempt(StockKey stock, String worker, int quantity) {
        jdbi.useHandle(handle -> handle.execute(
                "INSERT INTO sale_attempt (warehouse, sku, worker, quantity) VALUES (?, ?, ?, ?)",
                stock.warehouse(),
                stock.sku(),
                worker,
                quantity));
    }

    /** Notes what the worker was told of its last attempt. */
    void outcome(StockKey stock, String worker, String outcome) {
        jdbi.useHandle(handle -> handle.execute(
                "UPDATE sale_attempt SET outcome = ? WHERE id = last_attempt(?, ?, ?)",
                outcome,
                stock.warehouse(),
                stock.sku(),
                worker));
    }

    /** Counts from the tables, at one moment. */
    public Numbers numbers(StockKey stock) {
        return jdbi.withHandle(handle -> handle.createQuery("""
                        SELECT s.available AS in_stock,
                               (SELECT coalesce(sum(quantity), 0) FROM sale_attempt a
                                 WHERE (a.warehouse, a.sku) = (s.warehouse, s.sku) AND a.outcome = 'SOLD') AS sold,
                               (SELECT count(*) FROM stock_change c JOIN sale_attempt a ON a.id = c.attempt
                                 WHERE (c.warehouse, c.sku) = (s.warehouse, s.sku)
                                   AND c.new_stock <> c.old_stock - a.quantity) AS lost_updates,
                               (SELECT count(*) FROM sale_attempt a
                                 WHERE (a.warehouse, a.sku) = (s.warehouse, s.sku) AND a.outcome = 'STALE'
                                   AND NOT EXISTS (SELECT FROM stock_change c WHERE c.attempt = a.id))
                                 AS stale_writes_rejected
                          FROM stock s WHERE s.warehouse = :warehouse AND s.sku = :sku
                        """)
                .bind("warehouse", stock.warehouse())
                .bind("sku", stock.sku())
                .map((row, context) -> new Numbers(
                        row.getInt("in_stock"),
                        row.getInt("sold"),
                        row.getInt("lost_updates"),
                        row.getInt("stale_writes_rejected")))
                .one());
    }

    /**
     * What the database tells.
     *
     * @param inStock what the row says
     * @param sold what all workers together were told they sold
     * @param lostUpdates writes that did not take their quantity from the stock that was there, and so wiped out what
     *     came between
     * @param staleWritesRejected attempts that were told that they are stale, and that indeed changed nothing
     */
    public record Numbers(int inStock, int sold, int lostUpdates, int staleWritesRejected) {}
}
