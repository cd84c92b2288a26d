package io.github.fencedwrite.internal.memory;

import io.github.fencedwrite.internal.lease.LeaseSpec;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Somebody who asked a {@link LockTable} for locks, all or none; the table's lock guards the outcome. */
final class Waiter {

    private final List<LeaseSpec> specs;
    private final Thread thread = Thread.currentThread();
    private final long deadline;
    private final CompletableFuture<List<MemoryLease>> future = new CompletableFuture<>();
    private @Nullable List<MemoryLease> leases;
    private @Nullable RuntimeException refusal;

    /** For {@code specs}, at least one, all with the same wait. */
    Waiter(List<LeaseSpec> specs, long now) {
        this.specs = specs;
        this.deadline = now + specs.get(0).waitNanos();
    }

    List<LeaseSpec> specs() {
        return specs;
    }

    Thread thread() {
        return thread;
    }

    long deadline() {
        return deadline;
    }

    void granted(List<MemoryLease> granted, Effects effects) {
        leases = granted;
        effects.add(() -> {
            if (!future.complete(granted)) {
                granted.forEach(MemoryLease::close);
            }
        });
    }

    void refused(RuntimeException why, Effects effects) {
        refusal = why;
        effects.add(() -> future.completeExceptionally(why));
    }

    /** The leases, or null as long as nothing is decided; throws if it was refused. */
    @Nullable List<MemoryLease> outcome() {
        if (refusal != null) {
            throw refusal;
        }
        return leases;
    }

    /** Completes after the outcome; whoever cancels it gets no lease. */
    CompletableFuture<List<MemoryLease>> future() {
        return future;
    }
}
