package io.github.fencedwrite.examples.boot;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.FencedTransactions;
import java.math.BigDecimal;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * What is written together. A class of its own, since the transaction has to be committed before the lease is released:
 * {@link ProductService} acquires, calls one of these methods, and releases. A stale write throws, and Spring rolls back.
 */
@Service
class ProductTransactions {

    private final ProductDao dao;
    private final FencedTransactions fenced;

    ProductTransactions(ProductDao dao, FencedTransactions fenced) {
        this.dao = dao;
        this.fenced = fenced;
    }

    /** Level 1: a guarded statement, and a row that says that it was applied. */
    @Transactional
    public void changePrice(String sku, BigDecimal price, Lease lease) {
        if (!dao.setPrice(sku, price, lease)) {
            throw new NoSuchProductException(sku);
        }
        dao.recordPrice(sku, price);
    }

    /** Level 2: the write to a row that was claimed before, in a transaction that no slow work holds open. */
    @Transactional
    public void reserve(String sku, int quantity, int left, Lease lease) {
        dao.insertReservation(sku, quantity);
        dao.setStock(sku, left, lease);
    }

    /** Level 3: a fence row in Spring's transaction; the DELETE has no row left that could carry a token. */
    @Transactional
    public int returnReservations(String sku, Lease lease) {
        return fenced.inTransaction(lease, handle -> {
            int returned = handle
                    .createQuery("DELETE FROM reservation WHERE sku = :sku RETURNING quantity")
                    .bind("sku", sku)
                    .mapTo(Integer.class)
                    .stream()
                    .mapToInt(Integer::intValue)
                    .sum();
            dao.addStock(sku, returned, lease);
            return returned;
        });
    }
}
