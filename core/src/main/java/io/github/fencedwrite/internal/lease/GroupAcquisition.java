package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.ExtensionResult;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.LockNotAcquiredException;
import io.github.fencedwrite.LockNotAcquiredException.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Acquires the locks of several resources, all or none.
 *
 * <ol>
 *   <li>One after the other, sorted: two callers that name the same resources in another order meet at the first that both
 *       need, so neither waits for what the other holds while holding what the other waits for.
 *   <li>All within one wait. While a lock is waited for, those that are held already are extended when a third of their ttl
 *       has passed. If one of them is lost all the same, all are released, and it begins anew as long as the wait lasts.
 *   <li>In the end each has at least two thirds of its ttl left.
 * </ol>
 */
public final class GroupAcquisition {

    private final Function<LeaseSpec, Lease> acquire;
    private final List<LeaseSpec> specs;
    private final long waitNanos;
    private final long deadline;
    private final List<Lease> held = new ArrayList<>();

    /** Of {@code specs}, sorted by resource, through {@code acquire}, which keeps to the wait of what it is given. */
    public GroupAcquisition(Function<LeaseSpec, Lease> acquire, List<LeaseSpec> specs, long waitNanos) {
        this.acquire = acquire;
        this.specs = specs;
        this.waitNanos = waitNanos;
        this.deadline = System.nanoTime() + waitNanos;
    }

    /**
     * Sees it through.
     *
     * @throws LockNotAcquiredException if one of the locks could not be acquired; then none is held
     */
    public List<Lease> run() {
        boolean complete = false;
        try {
            while (!acquiredAll()) {
                String lost = held.stream()
                        .filter(lease -> !lease.isValid())
                        .map(Lease::resource)
                        .findFirst()
                        .orElse(held.get(0).resource());
                releaseAll();
                if (left() <= 0) {
                    throw tooSlow(lost);
                }
            }
            complete = true;
            return List.copyOf(held);
        } finally {
            if (!complete) {
                releaseAll();
            }
        }
    }

    private long left() {
        return deadline - System.nanoTime();
    }

    /** False if one of those that were held is lost. */
    private boolean acquiredAll() {
        for (LeaseSpec spec : specs) {
            Lease lease = null;
            while (lease == null) {
                if (!extended()) {
                    return false;
                }
                lease = attempt(spec);
            }
            held.add(lease);
        }
        return extended();
    }

    /** The lease, or null if those that are held have to be extended before the wait goes on. */
    private @Nullable Lease attempt(LeaseSpec spec) {
        long slice = Math.max(0, left());
        for (Lease lease : held) {
            long third = lease.ttl().toNanos() / 3;
            slice = Math.min(slice, Math.max(third / 2, lease.remaining().toNanos() - 2 * third));
        }
        try {
            return acquire.apply(spec.waiting(waitNanos == 0 ? 0 : Math.max(1, slice)));
        } catch (LockNotAcquiredException e) {
            boolean hopeless = e.reason() == Reason.INTERRUPTED || e.reason() == Reason.MISCONFIGURED;
            if (hopeless || left() <= 0) {
                throw specs.size() == 1 ? e : notAll(e);
            }
            return null;
        }
    }

    private boolean extended() {
        for (Lease lease : held) {
            boolean due = lease.remaining().toNanos() < 2 * (lease.ttl().toNanos() / 3);
            if (due && lease.extend() == ExtensionResult.LOST) {
                return false;
            }
        }
        return held.stream().allMatch(Lease::isValid);
    }

    private void releaseAll() {
        // all are on their way before the first is waited for
        for (Lease lease : held) {
            var unused = lease.releaseAsync();
        }
        held.forEach(Lease::close);
        held.clear();
    }

    private LockNotAcquiredException notAll(LockNotAcquiredException why) {
        return new LockNotAcquiredException(
                why.getMessage() + " It is one of " + specs.size()
                        + " resources to be locked together, so none of them is.",
                why.resource(),
                why.reason(),
                why.nodeFailures(),
                why);
    }

    private LockNotAcquiredException tooSlow(String lost) {
        return new LockNotAcquiredException(
                "\"" + lost + "\" was not locked: its lease ran out while the others of " + specs.size()
                        + " resources were being locked together, so none of them is. Use a longer ttl, or fewer resources"
                        + " at once.",
                lost,
                Reason.TIMEOUT,
                Map.of(),
                null);
    }
}
