package io.github.fencedwrite.examples.inventory.reservation;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.examples.inventory.RejectedException;
import io.github.fencedwrite.examples.inventory.idempotency.IdempotencyKeys;
import io.github.fencedwrite.examples.inventory.idempotency.IdempotentRequest;
import io.github.fencedwrite.examples.inventory.locking.Locking;
import io.github.fencedwrite.examples.inventory.stock.Quantity;
import io.github.fencedwrite.examples.inventory.stock.Stock;
import io.github.fencedwrite.examples.inventory.stock.StockDao;
import io.github.fencedwrite.examples.inventory.stock.StockKey;
import io.github.fencedwrite.examples.inventory.stock.StockService;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.Jdbi;

/** Sets pieces aside for customers, under a lease and with writes that a stale holder cannot make. Thread safe. */
public final class ReservationService {

    private static final int EXPIRED_AT_ONCE = 100;

    private final Locking locking;
    private final Jdbi jdbi;
    private final StockService stock;
    private final StockDao stocks;
    private final ReservationDao reservations;
    private final IdempotencyKeys keys;
    private final Approval approval;
    private final Duration lifetime;
    private final InstantSource clock;

    /**
     * Creates the service.
     *
     * @param lifetime how long a reservation waits to be confirmed
     */
    public ReservationService(
            Locking locking,
            Jdbi jdbi,
            StockService stock,
            IdempotencyKeys keys,
            Approval approval,
            Duration lifetime,
            InstantSource clock) {
        this.locking = locking;
        this.jdbi = jdbi;
        this.stock = stock;
        this.stocks = jdbi.onDemand(StockDao.class);
        this.reservations = jdbi.onDemand(ReservationDao.class);
        this.keys = keys;
        this.approval = approval;
        this.lifetime = lifetime;
        this.clock = clock;
    }

    /**
     * Takes {@code quantity} out of stock, if there is enough and the sale is approved.
     *
     * @return the reservation; of a repeated request the one that it made the first time, as it is now
     * @throws RejectedException if the rules do not allow it; nothing was written
     * @throws io.github.fencedwrite.LockNotAcquiredException if the lock cannot be acquired in time; nothing was
     *     written
     * @throws io.github.fencedwrite.jdbi.StaleTokenException if others have taken over twice; nothing was written
     */
    public Reservation reserve(IdempotentRequest request, StockKey key, Quantity quantity) {
        return locking.repeatOnceIfStale(() -> reserveOnce(request, key, quantity));
    }

    private Reservation reserveOnce(IdempotentRequest request, StockKey key, Quantity quantity) {
        Optional<UUID> earlier = keys.find(request);
        if (earlier.isPresent()) {
            return get(earlier.get()); // needs no lock, so a repetition is answered while the nodes are away, too
        }
        try (Lease lease = locking.acquire(key.resource())) {
            earlier = keys.find(request);
            if (earlier.isPresent()) {
                return get(earlier.get()); // the first request held the lock while this one waited for it
            }
            // Level 2: read, decide, write. The claim comes before the reading, in the same statement: from here on the
            // database refuses every older holder, so nobody can write between this reading and our writing unnoticed.
            Stock before = stocks.claim(key, lease).orElseThrow(() -> stock.notStocked(key));
            Stock after = before.minus(quantity);
            if (!approval.approves(before, quantity)) { // slow: no transaction is open, and no row is locked
                throw new RejectedException(RejectedException.Reason.NOT_APPROVED, "The sale was not approved.");
            }
            Reservation reservation =
                    Reservation.pending(key, quantity, clock.instant().plus(lifetime));
            // One transaction: if the write of the claimed row is refused, the new rows are undone with it.
            jdbi.useTransaction(handle -> {
                stocks.setClaimed(after, lease);
                keys.remember(request, reservation.id());
                reservations.insert(reservation);
            });
            return reservation;
        }
    }

    /**
     * Finds one reservation.
     *
     * @throws RejectedException if there is none
     */
    public Reservation get(UUID id) {
        return reservations
                .find(id)
                .orElseThrow(() -> new RejectedException(
                        RejectedException.Reason.UNKNOWN_RESERVATION, "There is no reservation " + id + "."));
    }

    /** Marks the pieces as sold. Repeating it is harmless. */
    public Reservation confirm(UUID id) {
        return change(id, reservation -> reservation.confirmed(clock.instant()));
    }

    /** Puts the pieces back. Repeating it is harmless. */
    public Reservation cancel(UUID id) {
        return change(id, Reservation::cancelled);
    }

    /**
     * Puts the pieces back if the reservation is pending and its time has run out; several instances may do it at
     * once.
     */
    public Reservation expire(UUID id) {
        return change(id, reservation -> reservation.expired(clock.instant()));
    }

    /** Pending reservations whose time has run out, at most 100. */
    public List<UUID> findExpired() {
        return reservations.findExpired(clock.instant(), EXPIRED_AT_ONCE).stream()
                .map(Reservation::id)
                .toList();
    }

    /**
     * Level 3 in one call: what is decided needs no time, so lock and transaction can last equally long, and whatever
     * is read and written in between, in however many tables, is fenced as a whole.
     */
    private Reservation change(UUID id, Function<Reservation, Reservation> transition) {
        StockKey key = get(id).stock(); // never changes; the rest is read again under the lock
        return locking.repeatOnceIfStale(() -> locking.inLockedTransaction(key.resource(), (handle, token) -> {
            Reservation before = get(id);
            Reservation after = transition.apply(before);
            if (after.state() == before.state()) {
                return after;
            }
            reservations.setState(after);
            if (after.state() != ReservationState.CONFIRMED) {
                stocks.add(key, after.pieces(), token);
            }
            return after;
        }));
    }
}
