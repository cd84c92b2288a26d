package io.github.fencedwrite.examples.inventory;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.examples.inventory.idempotency.IdempotencyKeys;
import io.github.fencedwrite.examples.inventory.locking.Locking;
import io.github.fencedwrite.examples.inventory.product.ProductService;
import io.github.fencedwrite.examples.inventory.reservation.ReservationService;
import io.github.fencedwrite.examples.inventory.stock.StockService;
import io.github.fencedwrite.examples.inventory.transfer.TransferService;
import java.time.Duration;
import java.time.InstantSource;
import org.jdbi.v3.core.Jdbi;

/** The services of one instance without HTTP. */
public record Services(
        ProductService products, StockService stock, ReservationService reservations, TransferService transfers) {

    /** Services that approve every sale. */
    public static Services of(FencedLocks locks, Jdbi jdbi, Duration ttl, Duration waitAtMost) {
        Locking locking = new Locking(locks, jdbi, ttl, waitAtMost);
        IdempotencyKeys keys = new IdempotencyKeys(jdbi);
        ProductService products = new ProductService(locking, jdbi);
        StockService stock = new StockService(locking, jdbi, products);
        ReservationService reservations = new ReservationService(
                locking, jdbi, stock, keys, (row, quantity) -> true, Duration.ofMinutes(15), InstantSource.system());
        return new Services(products, stock, reservations, new TransferService(locking, jdbi, stock, keys));
    }
}
