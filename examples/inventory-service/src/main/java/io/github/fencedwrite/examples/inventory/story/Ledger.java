package io.github.fencedwrite.examples.inventory.story;

import org.jdbi.v3.core.Jdbi;

/** The story's bookkeeping in the database: what was meant, what was told, and what happened to the rows. */
final class Ledger {

    private final Jdbi jdbi;

    Ledger(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    void stockUp(String sku, int stock) {
        jdbi.useHandle(handle -> handle.execute("INSERT INTO inventory (sku, stock) VALUES (?, ?)", sku, stock));
    }

    int stock(String sku) {
        return number("SELECT stock FROM inventory WHERE sku = ?", sku);
    }

    void attempt(String sku, String holder, int quantity) {
        jdbi.useHandle(handle -> handle.execute(
                "INSERT INTO sale_attempt (sku, holder, quantity) VALUES (?, ?, ?)", sku, holder, quantity));
    }

    void outcome(String sku, String holder, String outcome) {
        jdbi.useHandle(handle -> handle.execute(
                "UPDATE sale_attempt SET outcome = ? WHERE sku = ? AND holder = ?", outcome, sku, holder));
    }

    /** Writes that did not take their quantity from the stock that was there, and so wiped out what came between. */
    int lostUpdates(String sku) {
        return number("""
                SELECT count(*)
                  FROM stock_change c JOIN sale_attempt a USING (sku, holder)
                 WHERE c.sku = ? AND c.new_stock <> c.old_stock - a.quantity
                """, sku);
    }

    /** Attempts that were told that they are stale, and that indeed changed nothing. */
    int staleWritesRejected(String sku) {
        return number("""
                SELECT count(*)
                  FROM sale_attempt a
                 WHERE a.sku = ? AND a.outcome = 'STALE'
                   AND NOT EXISTS (SELECT FROM stock_change c WHERE c.sku = a.sku AND c.holder = a.holder)
                """, sku);
    }

    /** What all holders together were told they sold. */
    int sold(String sku) {
        return number("SELECT coalesce(sum(quantity), 0) FROM sale_attempt WHERE sku = ? AND outcome = 'SOLD'", sku);
    }

    private int number(String sql, String sku) {
        return jdbi.withHandle(
                handle -> handle.select(sql, sku).mapTo(Integer.class).one());
    }
}
