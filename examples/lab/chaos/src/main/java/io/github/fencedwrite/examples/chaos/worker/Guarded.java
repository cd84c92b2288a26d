package io.github.fencedwrite.examples.chaos.worker;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.FencedTarget;
import io.github.fencedwrite.jdbi.Fencing;
import io.github.fencedwrite.jdbi.Rows;
import io.github.fencedwrite.jdbi.WriteNotAppliedException;
import io.github.fencedwrite.jdbi.WriteOutcome;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleConsumer;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.Update;

/** The guards of the library. */
final class Guarded implements Guards {

    private static final int ATTEMPTS = 3;

    @Override
    public void writeBlindly(Jdbi jdbi, Lease lease, Function<Handle, Update> statement) {
        WriteOutcome outcome = Fencing.repeat(
                ATTEMPTS,
                () -> jdbi.withHandle(
                        handle -> Fencing.fence(statement.apply(handle), lease).execute()));
        if (!(outcome instanceof WriteOutcome.Applied)) {
            throw WriteNotAppliedException.of(outcome, new FencedTarget("a row", "", lease.token(), lease), null);
        }
    }

    @Override
    public Query claim(Query select, Lease lease) {
        return Fencing.claim(select, lease).query();
    }

    @Override
    public Query claimAll(Query select, Lease lease) {
        return Fencing.claim(select, lease).rows(Rows.MANY).query();
    }

    @Override
    public void writeClaimed(Update update, Lease lease) {
        long rows = Fencing.fence(update, lease).mode(FenceMode.CLAIMED).executeOrThrow();
        if (rows != 1) {
            throw new IllegalStateException("A claimed row is gone");
        }
    }

    @Override
    public void inClaimingTransaction(Jdbi jdbi, Lease lease, HandleConsumer<RuntimeException> body) {
        Fencing.of(jdbi).withoutFenceRow().inTransaction(lease, handle -> {
            body.useHandle(handle);
            return true;
        });
    }

    @Override
    public void inTransaction(Jdbi jdbi, Lease lease, HandleConsumer<RuntimeException> body) {
        Fencing.of(jdbi).inTransaction(lease, handle -> {
            body.useHandle(handle);
            return true;
        });
    }
}
