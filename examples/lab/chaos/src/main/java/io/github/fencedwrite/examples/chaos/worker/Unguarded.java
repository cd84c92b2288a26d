package io.github.fencedwrite.examples.chaos.worker;

import io.github.fencedwrite.Lease;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleConsumer;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.Update;

/** No guards: the same statements and transactions under the same lock, as they are usually written. */
final class Unguarded implements Guards {

    @Override
    public void writeBlindly(Jdbi jdbi, Lease lease, Function<Handle, Update> statement) {
        jdbi.useHandle(handle -> statement.apply(handle).execute());
    }

    @Override
    public Query claim(Query select, Lease lease) {
        return select;
    }

    @Override
    public Query claimAll(Query select, Lease lease) {
        return select;
    }

    @Override
    public void writeClaimed(Update update, Lease lease) {
        update.execute();
    }

    @Override
    public void inClaimingTransaction(Jdbi jdbi, Lease lease, HandleConsumer<RuntimeException> body) {
        jdbi.useTransaction(body);
    }

    @Override
    public void inTransaction(Jdbi jdbi, Lease lease, HandleConsumer<RuntimeException> body) {
        jdbi.useTransaction(body);
    }
}
