package io.github.fencedwrite.internal.memory;

import io.github.fencedwrite.ExtensionResult;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.LockHolder;
import io.github.fencedwrite.LockNotAcquiredException;
import io.github.fencedwrite.LockNotAcquiredException.Reason;
import io.github.fencedwrite.PoisonedTokenException;
import io.github.fencedwrite.ReleaseResult;
import io.github.fencedwrite.ResourceStatus;
import io.github.fencedwrite.StaleVerdict;
import io.github.fencedwrite.internal.lease.LeaseSpec;
import io.github.fencedwrite.internal.text.Printable;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who holds what, and who waits for it. Time is a number that the owner of the table advances; when it does, what falls due is
 * done on its thread. Applications are called, and futures completed, only after the lock is released. Safe for use by many
 * threads.
 */
public final class LockTable {

    private static final long REAL_PATIENCE_SECONDS = 60;
    private static final long HIGHEST = (1L << 53) - (1L << 20);

    private final LongSupplier clock;
    private final LongConsumer advanceTo;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, MemoryLease> holders = new HashMap<>();
    private final Map<String, Long> counters = new HashMap<>();
    private final Set<Waiter> waiters = new LinkedHashSet<>();
    /** Neither released nor noticed to be lost: the holders, and those who wrongly believe that they are. */
    private final Set<MemoryLease> believed = new LinkedHashSet<>();

    private boolean closed;

    /** By {@code clock}, which {@code advanceTo} moves forward. */
    public LockTable(LongSupplier clock, LongConsumer advanceTo) {
        this.clock = clock;
        this.advanceTo = advanceTo;
    }

    /** Acquires, waiting on the caller's thread. */
    public Lease acquire(LeaseSpec spec) {
        return acquireAll(List.of(spec)).get(0);
    }

    /** Acquires all or none, waiting on the caller's thread. */
    public List<Lease> acquireAll(List<LeaseSpec> specs) {
        Waiter waiter = enter(specs);
        while (true) {
            OptionalLong onlyTimeHelps;
            lock.lock();
            try {
                List<MemoryLease> leases = waiter.outcome();
                if (leases != null) {
                    return List.copyOf(leases);
                }
                onlyTimeHelps = await(waiter);
            } finally {
                lock.unlock();
            }
            onlyTimeHelps.ifPresent(advanceTo);
        }
    }

    /** Acquires; the future completes on the thread that releases the lock or advances the clock. */
    public CompletableFuture<Lease> acquireAsync(LeaseSpec spec) {
        Waiter waiter = enter(List.of(spec));
        CompletableFuture<Lease> future = new CompletableFuture<>();
        var unused = waiter.future().whenComplete((leases, refusal) -> {
            if (refusal != null) {
                future.completeExceptionally(refusal);
            } else if (!future.complete(leases.get(0))) {
                leases.get(0).close();
            }
        });
        var alsoUnused = future.whenComplete((lease, failure) -> underLock(effects -> waiters.remove(waiter)));
        return future;
    }

    private Waiter enter(List<LeaseSpec> specs) {
        return underLock(effects -> {
            if (closed) {
                throw new IllegalStateException("This client is closed. Build a new one.");
            }
            Waiter waiter = new Waiter(specs, clock.getAsLong());
            waiters.add(waiter);
            return waiter;
        });
    }

    /**
     * Waits, under the lock, until something has changed.
     *
     * @return the time to advance the clock to if nothing but time can end this wait
     */
    private OptionalLong await(Waiter waiter) {
        MemoryLease holder = obstacle(waiter);
        if (holder == null) {
            return OptionalLong.empty();
        }
        if (holder.wasAcquiredBy(waiter.thread())) {
            return OptionalLong.of(Math.min(holder.nextDue(), waiter.deadline()));
        }
        String start = "\"" + Printable.text(holder.resource()) + "\" was not locked: ";
        try {
            if (!changed.await(REAL_PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                waiters.remove(waiter);
                throw new IllegalStateException(start + "for " + REAL_PATIENCE_SECONDS
                        + " s nobody has released it or advanced the clock. Do so on another thread.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            if (waiter.outcome() == null) {
                waiters.remove(waiter);
                throw new LockNotAcquiredException(
                        start + "the thread was interrupted. Its flag is set.",
                        holder.resource(),
                        Reason.INTERRUPTED,
                        Map.of(),
                        e);
            }
        }
        return OptionalLong.empty();
    }

    /** Does something under the lock, then what has become possible or due by it, then tells the application. */
    private <T> T underLock(Function<Effects, T> action) {
        Effects effects = new Effects();
        T result;
        lock.lock();
        try {
            result = action.apply(effects);
            settle(clock.getAsLong(), effects);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        effects.run();
        return result;
    }

    private void settle(long now, Effects effects) {
        for (MemoryLease lease : List.copyOf(believed)) {
            if (lease.renewsBy(now)) {
                lease.extended(now);
            }
            if (lease.takeWarning(now)) {
                effects.call(lease.spec().onDanger(), lease);
            }
            if (lease.runsOutBy(now)) {
                lost(lease, effects);
            }
        }
        for (Waiter waiter : List.copyOf(waiters)) {
            MemoryLease holder = obstacle(waiter);
            if (holder == null) {
                waiters.remove(waiter);
                List<MemoryLease> leases = waiter.specs().stream()
                        .map(spec -> grant(spec, waiter.thread(), now))
                        .toList();
                waiter.granted(leases, effects);
            } else if (waiter.deadline() <= now) {
                waiters.remove(waiter);
                waiter.refused(contended(waiter.specs(), holder, now), effects);
            }
        }
    }

    /** Who holds the first of the resources that is not free, or null. */
    private @Nullable MemoryLease obstacle(Waiter waiter) {
        for (LeaseSpec spec : waiter.specs()) {
            MemoryLease holder = holders.get(spec.resource());
            if (holder != null) {
                return holder;
            }
        }
        return null;
    }

    private MemoryLease grant(LeaseSpec spec, Thread acquirer, long now) {
        long token = counters.merge(spec.resource(), 1L, Long::sum);
        MemoryLease lease = new MemoryLease(this, spec, token, acquirer, now);
        holders.put(spec.resource(), lease);
        believed.add(lease);
        return lease;
    }

    private void lost(MemoryLease lease, Effects effects) {
        lease.end();
        believed.remove(lease);
        holders.remove(lease.resource(), lease);
        effects.call(lease.spec().onLost(), lease);
    }

    private static LockNotAcquiredException contended(List<LeaseSpec> specs, MemoryLease holder, long now) {
        long waited = specs.get(0).waitNanos();
        String within = waited == 0 ? "" : " within " + TimeUnit.NANOSECONDS.toMillis(waited) + " ms";
        String others = specs.size() == 1
                ? ""
                : " It is one of " + specs.size() + " resources to be locked together, so none of them is.";
        return new LockNotAcquiredException(
                "\"" + Printable.text(holder.resource()) + "\" was not locked" + within
                        + ": another lease holds it, for "
                        + TimeUnit.NANOSECONDS.toMillis(holder.validUntil() - now)
                        + " ms more. Wait longer for it, or try again later." + others,
                holder.resource(),
                Reason.CONTENDED,
                Map.of(),
                null);
    }

    /** When something next falls due. */
    public OptionalLong nextDue() {
        lock.lock();
        try {
            long leases =
                    believed.stream().mapToLong(MemoryLease::nextDue).min().orElse(Long.MAX_VALUE);
            long waits = waiters.stream().mapToLong(Waiter::deadline).min().orElse(Long.MAX_VALUE);
            long next = Math.min(leases, waits);
            return next == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(next);
        } finally {
            lock.unlock();
        }
    }

    /** The clock has been advanced to a time that is no later than the next one due. */
    public void timeIs(long now) {
        underLock(effects -> now);
    }

    /** Takes a lock away from its holder without telling. */
    public void expireUnnoticed(String resource) {
        underLock(effects -> {
            MemoryLease holder = holders.remove(resource);
            if (holder == null) {
                throw new IllegalStateException(
                        "Nobody holds \"" + Printable.text(resource) + "\", so it cannot expire.");
            }
            holder.stopRenewing();
            return holder;
        });
    }

    /** Who holds a resource. */
    public ResourceStatus status(String resource) {
        lock.lock();
        try {
            MemoryLease holder = holders.get(resource);
            Optional<LockHolder> found = Optional.ofNullable(holder)
                    .map(lease -> new LockHolder(
                            "memory", "", Optional.of(Duration.ofNanos(lease.validUntil() - clock.getAsLong()))));
            Long counter = counters.get(resource);
            OptionalLong greatest = counter == null ? OptionalLong.empty() : OptionalLong.of(counter);
            return new ResourceStatus(
                    resource, List.of(new ResourceStatus.OnNode("memory", found, greatest, Optional.empty())));
        } finally {
            lock.unlock();
        }
    }

    /** Takes a lock away from its holder, and raises the counter. */
    public ReleaseResult forceRelease(String resource) {
        return underLock(effects -> {
            MemoryLease holder = holders.remove(resource);
            if (holder == null) {
                return ReleaseResult.NOT_HELD;
            }
            holder.stopRenewing();
            counters.merge(resource, 1L, Long::sum);
            return ReleaseResult.RELEASED;
        });
    }

    /** What is held, or believed to be. */
    public List<Lease> heldLeases() {
        lock.lock();
        try {
            return List.copyOf(believed);
        } finally {
            lock.unlock();
        }
    }

    ExtensionResult extend(MemoryLease lease) {
        return underLock(effects -> {
            long now = clock.getAsLong();
            if (holders.get(lease.resource()) != lease) {
                if (!lease.isOver()) {
                    lost(lease, effects);
                }
                return ExtensionResult.LOST;
            }
            lease.extended(now);
            return ExtensionResult.EXTENDED;
        });
    }

    ReleaseResult release(MemoryLease lease) {
        return underLock(effects -> {
            ReleaseResult before = lease.releaseResult();
            if (before != null) {
                return before;
            }
            return end(lease);
        });
    }

    private ReleaseResult end(MemoryLease lease) {
        lease.end();
        believed.remove(lease);
        boolean held = holders.remove(lease.resource(), lease);
        ReleaseResult result = held ? ReleaseResult.RELEASED : ReleaseResult.NOT_HELD;
        lease.released(result);
        return result;
    }

    StaleVerdict reportStale(MemoryLease lease, long stored) {
        long own = lease.token().value();
        if (stored < own) {
            throw new IllegalArgumentException("The storage holds token " + stored + ", which is below this lease's "
                    + own + " and no reason to refuse it. Report the token that the storage holds.");
        }
        return underLock(effects -> {
            if (holders.get(lease.resource()) != lease) {
                return StaleVerdict.LOST;
            }
            if (stored == own) {
                return StaleVerdict.OWN_TOKEN;
            }
            if (stored >= HIGHEST) {
                throw new PoisonedTokenException(lease.resource(), stored, HIGHEST);
            }
            counters.merge(lease.resource(), stored, Long::max);
            return StaleVerdict.LIFTED;
        });
    }

    long remainingNanos(MemoryLease lease) {
        lock.lock();
        try {
            return lease.isOver() ? 0 : Math.max(0, lease.validUntil() - clock.getAsLong());
        } finally {
            lock.unlock();
        }
    }

    long remainingLifetimeNanos(MemoryLease lease) {
        lock.lock();
        try {
            return lease.isOver() ? 0 : Math.max(0, lease.lifetimeEnd() - clock.getAsLong());
        } finally {
            lock.unlock();
        }
    }

    long nanosSinceExpiry(MemoryLease lease) {
        lock.lock();
        try {
            return Math.max(0, clock.getAsLong() - lease.validUntil());
        } finally {
            lock.unlock();
        }
    }

    /** Releases all leases and ends all waits. */
    public void close() {
        underLock(effects -> {
            closed = true;
            for (Waiter waiter : waiters) {
                waiter.refused(
                        new IllegalStateException("This client was closed while the lock was waited for."), effects);
            }
            waiters.clear();
            List.copyOf(believed).forEach(this::end);
            return closed;
        });
    }
}
