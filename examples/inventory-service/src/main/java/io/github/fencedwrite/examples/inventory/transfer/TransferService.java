package io.github.fencedwrite.examples.inventory.transfer;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.Leases;
import io.github.fencedwrite.examples.inventory.RejectedException;
import io.github.fencedwrite.examples.inventory.idempotency.IdempotencyKeys;
import io.github.fencedwrite.examples.inventory.idempotency.IdempotentRequest;
import io.github.fencedwrite.examples.inventory.locking.Locking;
import io.github.fencedwrite.examples.inventory.stock.Stock;
import io.github.fencedwrite.examples.inventory.stock.StockDao;
import io.github.fencedwrite.examples.inventory.stock.StockKey;
import io.github.fencedwrite.examples.inventory.stock.StockService;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/** Moves stock between warehouses: all of it or nothing. Thread safe. */
public final class TransferService {

    private final Locking locking;
    private final StockService stock;
    private final StockDao stocks;
    private final TransferDao transfers;
    private final IdempotencyKeys keys;

    /** Creates the service. */
    public TransferService(Locking locking, Jdbi jdbi, StockService stock, IdempotencyKeys keys) {
        this.locking = locking;
        this.stock = stock;
        this.stocks = jdbi.onDemand(StockDao.class);
        this.transfers = jdbi.onDemand(TransferDao.class);
        this.keys = keys;
    }

    /**
     * Moves the pieces.
     *
     * @return the transfer; of a repeated request the one that it made the first time
     * @throws RejectedException if the rules do not allow it; nothing was written
     * @throws io.github.fencedwrite.LockNotAcquiredException if the locks cannot be acquired in time; nothing was
     *     written
     */
    public Transfer transfer(IdempotentRequest request, Transfer wanted) {
        return locking.repeatOnceIfStale(() -> transferOnce(request, wanted));
    }

    private Transfer transferOnce(IdempotentRequest request, Transfer wanted) {
        Optional<UUID> earlier = keys.find(request);
        if (earlier.isPresent()) {
            return get(earlier.get());
        }
        StockKey from = wanted.from();
        StockKey to = wanted.to();
        // Both or none, always in the same order: transfers in opposite directions do not wait for each other.
        try (Leases leases = locking.acquireAll(from.resource(), to.resource())) {
            // Level 3: two tables, and rows of two resources. The tokens of two locks cannot be compared with each
            // other:
            // each stock row is claimed and written under its own.
            return locking.inTransaction(leases, handle -> {
                Optional<UUID> meanwhile = keys.find(request);
                if (meanwhile.isPresent()) {
                    return get(meanwhile.get());
                }
                Stock source = claim(from, leases.of(from.resource()));
                Stock target = claim(to, leases.of(to.resource()));
                keys.remember(request, wanted.id());
                stocks.setClaimed(source.minus(wanted.pieces()), leases.of(from.resource()));
                stocks.setClaimed(target.plus(wanted.pieces()), leases.of(to.resource()));
                transfers.insert(wanted);
                return wanted;
            });
        }
    }

    private Stock claim(StockKey key, Lease lease) {
        return stocks.claim(key, lease).orElseThrow(() -> stock.notStocked(key));
    }

    /**
     * Finds one transfer.
     *
     * @throws RejectedException if there is none
     */
    public Transfer get(UUID id) {
        return transfers
                .find(id)
                .orElseThrow(() -> new RejectedException(
                        RejectedException.Reason.UNKNOWN_TRANSFER, "There is no transfer " + id + "."));
    }
}
