package io.github.fencedwrite.examples.inventory.stock;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.examples.inventory.RejectedException;
import io.github.fencedwrite.examples.inventory.locking.Locking;
import io.github.fencedwrite.examples.inventory.product.ProductService;
import java.util.List;
import org.jdbi.v3.core.Jdbi;

/** Tells and corrects what is in stock. Safe for use by many threads. */
public final class StockService {

    private static final int LONGEST_LIST = 1000;

    private final Locking locking;
    private final ProductService products;
    private final StockDao stocks;

    /** Creates the service. */
    public StockService(Locking locking, Jdbi jdbi, ProductService products) {
        this.locking = locking;
        this.products = products;
        this.stocks = jdbi.onDemand(StockDao.class);
    }

    /** The first 1,000 stocks of a warehouse by sku. */
    public List<Stock> list(String warehouse) {
        requireWarehouse(StockKey.requireWarehouse(warehouse));
        return stocks.list(warehouse, LONGEST_LIST);
    }

    /**
     * Finds one stock.
     *
     * @throws RejectedException if the warehouse is unknown or does not have the product
     */
    public Stock get(StockKey key) {
        return stocks.find(key).orElseThrow(() -> notStocked(key));
    }

    /** Sets what was counted in the warehouse; a product that is new there is added. */
    public Stock put(Stock counted) {
        requireWarehouse(counted.warehouse());
        products.get(counted.sku());
        return locking.repeatOnceIfStale(() -> {
            try (Lease lease = locking.acquire(counted.key().resource())) {
                stocks.put(counted, lease);
                return counted;
            }
        });
    }

    /** Explains why there is no row for {@code key}: no warehouse, no product, or none of it there. */
    public RejectedException notStocked(StockKey key) {
        requireWarehouse(key.warehouse());
        products.get(key.sku());
        return new RejectedException(
                RejectedException.Reason.NOT_STOCKED,
                key.warehouse() + " does not stock " + key.sku() + ". Count it in with PUT /warehouses/"
                        + key.warehouse() + "/stock/" + key.sku() + ".");
    }

    private void requireWarehouse(String warehouse) {
        if (!stocks.hasWarehouse(warehouse)) {
            throw new RejectedException(
                    RejectedException.Reason.UNKNOWN_WAREHOUSE, "There is no warehouse \"" + warehouse + "\".");
        }
    }
}
