package io.github.fencedwrite.examples.chaos.worker;

import io.github.fencedwrite.Lease;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleConsumer;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.Update;

/** What stands between work and the database. The same work is done with guards and, for comparison, without. */
interface Guards {

    /** Level 1: one write that rests on nothing that was read. */
    void writeBlindly(Jdbi jdbi, Lease lease, Function<Handle, Update> statement);

    /** Level 2: reads one row that will be written. */
    Query claim(Query select, Lease lease);

    /** Level 2: reads several rows that will be written, in a transaction. */
    Query claimAll(Query select, Lease lease);

    /** Level 2: writes one row that was claimed. */
    void writeClaimed(Update update, Lease lease);

    /** Level 2: several rows in one transaction. */
    void inClaimingTransaction(Jdbi jdbi, Lease lease, HandleConsumer<RuntimeException> body);

    /** Level 3: anything in one transaction. */
    void inTransaction(Jdbi jdbi, Lease lease, HandleConsumer<RuntimeException> body);
}
