package io.github.fencedwrite.jdbi.internal.transaction;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.LeaseRequest;
import io.github.fencedwrite.jdbi.LeaseSource;
import java.time.Duration;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

/** A fenced transaction whose body is the method of a SQL Object, on the handle of that. */
public final class MethodTransaction {

    private final Handle handle;
    private final boolean takesRow;
    private final TransactionIsolationLevel isolation;

    /** Prepares one; see {@link FencedTransaction} for the parameters. */
    public MethodTransaction(Handle handle, boolean takesRow, TransactionIsolationLevel isolation) {
        this.handle = handle;
        this.takesRow = takesRow;
        this.isolation = isolation;
    }

    /** Runs {@code body} under a lease of the caller's. */
    public <X extends Exception> @Nullable Object under(Lease lease, HandleCallback<@Nullable Object, X> body)
            throws X {
        return FencedTransaction.under(handle.getJdbi(), List.of(lease), takesRow, isolation)
                .on(handle)
                .run((same, token) -> body.withHandle(same));
    }

    /** Acquires, runs {@code body}, commits and releases. */
    public <X extends Exception> @Nullable Object locked(
            LeaseSource locks, LeaseRequest request, Duration waitAtMost, HandleCallback<@Nullable Object, X> body)
            throws X {
        return new LockedTransaction(handle.getJdbi(), locks, takesRow, isolation)
                .on(handle)
                .run(List.of(request), waitAtMost, (same, token) -> body.withHandle(same));
    }
}
