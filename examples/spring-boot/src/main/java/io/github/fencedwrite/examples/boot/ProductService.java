package io.github.fencedwrite.examples.boot;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.Lease;
import java.math.BigDecimal;
import org.springframework.stereotype.Service;

/** Acquires the lease of a product around each change. Not transactional: see {@link ProductTransactions}. */
@Service
class ProductService {

    private final FencedLocks locks;
    private final LockProperties properties;
    private final ProductDao dao;
    private final ProductTransactions transactions;
    private final Approval approval;

    ProductService(
            FencedLocks locks,
            LockProperties properties,
            ProductDao dao,
            ProductTransactions transactions,
            Approval approval) {
        this.locks = locks;
        this.properties = properties;
        this.dao = dao;
        this.transactions = transactions;
        this.approval = approval;
    }

    void changePrice(String sku, BigDecimal price) {
        try (Lease lease = acquire(sku)) {
            transactions.changePrice(sku, price, lease);
        }
    }

    /** Reserves what is there and approved; returns what is left. */
    int reserve(String sku, int quantity) {
        try (Lease lease = acquire(sku)) {
            Product product = dao.claim(sku, lease).orElseThrow(() -> new NoSuchProductException(sku));
            if (product.stock() < quantity || !approval.approves(product, quantity)) {
                throw new NotReservedException(product, quantity);
            }
            int left = product.stock() - quantity;
            transactions.reserve(sku, quantity, left, lease);
            return left;
        }
    }

    /** Puts everything that is reserved back into stock; returns how much that was. */
    int returnReservations(String sku) {
        try (Lease lease = acquire(sku)) {
            return transactions.returnReservations(sku, lease);
        }
    }

    private Lease acquire(String sku) {
        return locks.acquire("sku:" + sku, properties.ttl(), properties.waitAtMost());
    }
}
