package io.github.fencedwrite.examples.inventory.product;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.examples.inventory.RejectedException;
import io.github.fencedwrite.examples.inventory.locking.Locking;
import java.util.List;
import org.jdbi.v3.core.Jdbi;

/** Keeps the products. Safe for use by many threads. */
public final class ProductService {

    private static final int LONGEST_LIST = 1000;

    private final Locking locking;
    private final ProductDao products;

    /** Creates the service. */
    public ProductService(Locking locking, Jdbi jdbi) {
        this.locking = locking;
        this.products = jdbi.onDemand(ProductDao.class);
    }

    /** The first 1,000 products by sku. */
    public List<Product> list() {
        return products.list(LONGEST_LIST);
    }

    /**
     * Finds one product.
     *
     * @throws RejectedException if there is none
     */
    public Product get(String sku) {
        return products.find(Product.requireSku(sku))
                .orElseThrow(() -> new RejectedException(
                        RejectedException.Reason.UNKNOWN_PRODUCT,
                        "There is no product \"" + sku + "\". Create it with PUT /products/" + sku + "."));
    }

    /** Creates or replaces a product: of two imports at once, the one that got the lock later wins. */
    public Product put(Product product) {
        return locking.repeatOnceIfStale(() -> {
            try (Lease lease = locking.acquire(product.resource())) {
                products.put(product, lease);
                return product;
            }
        });
    }
}
