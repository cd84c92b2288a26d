package io.github.fencedwrite.internal.memory;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.internal.lease.LeaseSpec;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Somebody who asked a {@link LockTable} for a lock; the table's lock guards the outcome. */
final class Waiter {

    private final LeaseSpec spec;
    private final Thread thread = Thread.currentThread();
    private final long deadline;
    private final CompletableFuture<Lease> future = new CompletableFuture<>();
    private @Nullable MemoryLease lease;
    private @Nullable RuntimeException refusal;

    Waiter(LeaseSpec spec, long now) {
        this.spec = spec;
        this.deadline = now + spec.waitNanos();
    }

    LeaseSpec spec() {
        return spec;
    }

    Thread thread() {
        return thread;
    }

    long deadline() {
        return deadline;
    }

    void granted(MemoryLease granted, Effects effects) {
        lease = granted;
        effects.add(() -> {
            if (!future.complete(granted)) {
                granted.close();
            }
        });
    }

    void refused(RuntimeException why, Effects effects) {
        refusal = why;
        effects.add(() -> future.completeExceptionally(why));
    }

    /** The lease, or null as long as nothing is decided; throws if it was refused. */
    @Nullable MemoryLease outcome() {
        if (refusal != null) {
            throw refusal;
        }
        return lease;
    }

    /** Completes after the outcome; whoever cancels it gets no lease. */
    CompletableFuture<Lease> future() {
        return future;
    }
}
