package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.internal.postgres.Inspection;
import io.github.fencedwrite.jdbi.internal.statement.PresentedToken;
import io.github.fencedwrite.jdbi.internal.transaction.RepeatedWrite;
import java.util.List;
import java.util.function.Supplier;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.Update;

/**
 * The fluent form of guarded statements (levels 1 and 2), and the way to {@link FencedTransactions} (level 3).
 *
 * <p>Safe for use by many threads.
 */
public final class Fencing {

    private Fencing() {}

    /** Fenced transactions on {@code jdbi}, on which the {@link FencingPlugin} is installed. */
    public static FencedTransactions of(Jdbi jdbi) {
        return new FencedTransactions(jdbi);
    }

    /**
     * Looks at a fenced table before the first write, with the migrations' own function where they are installed.
     *
     * @param jdbi whose connections will write it; how they are configured is looked at as well
     * @param table as it is written in SQL
     * @param column the token column
     * @return what is to be known, errors and all; empty if all is well
     */
    public static List<TableFinding> inspect(Jdbi jdbi, String table, String column) {
        return jdbi.withHandle(handle -> Inspection.of(handle, table, column));
    }

    /**
     * Begins the description of a guarding scope, for code that cannot take a token.
     *
     * @param jdbi through whose handle of the thread the statements go
     * @param lease whose token the statements will carry
     */
    public static GuardingScope guarding(Jdbi jdbi, Lease lease) {
        return new GuardingScope(jdbi, PresentedToken.of(lease));
    }

    /** As {@link #guarding(Jdbi, Lease)}, with a token from elsewhere. */
    public static GuardingScope guarding(Jdbi jdbi, FencingToken token) {
        return new GuardingScope(jdbi, PresentedToken.of(token));
    }

    /**
     * Repeats a guarded write in autocommit (level 1) while its fate is unknown or the database asks for it. That is safe,
     * since one token writes a row once: if the lost attempt was committed after all, the next one finds its own token there.
     * Attempts that cannot even connect count as well. Pauses between the attempts, up to half a second each, and begins none
     * after half a minute or an interrupt of the thread, whose flag is kept.
     *
     * @param attempts upper bound, 1 or more
     * @param write one and the same statement with the same token and mode FIRST, on a connection of its own each time; what
     *     it throws is taken as the outcome
     * @return the last outcome; a row that an earlier attempt of this call has written counts as applied. Unknown once an
     *     attempt was, unless a later one settled it by writing or by finding its own token
     * @throws IllegalArgumentException if {@code attempts} is below 1
     */
    public static WriteOutcome repeat(int attempts, Supplier<WriteOutcome> write) {
        return RepeatedWrite.run(attempts, write);
    }

    /**
     * Guards an update.
     *
     * @param update one that was not executed yet; parameters may be bound before or afterwards
     * @param token the token of the lease
     * @return the guarded statement, to be executed with {@link FencedUpdate#execute()}
     */
    public static FencedUpdate fence(Update update, FencingToken token) {
        return new FencedUpdate(update, PresentedToken.of(token));
    }

    /** As {@link #fence(Update, FencingToken)}, with the token of {@code lease}; messages then tell of the lease too. */
    public static FencedUpdate fence(Update update, Lease lease) {
        return new FencedUpdate(update, PresentedToken.of(lease));
    }

    /**
     * Guards a batch.
     *
     * @param batch one that was not executed yet; rows may be added before or afterwards
     * @param token the token of the lease, for all rows
     * @return the guarded batch, to be executed with {@link FencedBatch#execute()}
     */
    public static FencedBatch fence(PreparedBatch batch, FencingToken token) {
        return new FencedBatch(batch, PresentedToken.of(token));
    }

    /** As {@link #fence(PreparedBatch, FencingToken)}, with the token of {@code lease}. */
    public static FencedBatch fence(PreparedBatch batch, Lease lease) {
        return new FencedBatch(batch, PresentedToken.of(lease));
    }

    /**
     * Guards a statement with RETURNING.
     *
     * @param query one that was not executed yet
     * @param token the token of the lease
     * @return the guarded statement, whose {@link FencedQuery#query()} is mapped and read as usual
     */
    public static FencedQuery fence(Query query, FencingToken token) {
        return FencedQuery.write(query, PresentedToken.of(token));
    }

    /** As {@link #fence(Query, FencingToken)}, with the token of {@code lease}. */
    public static FencedQuery fence(Query query, Lease lease) {
        return FencedQuery.write(query, PresentedToken.of(lease));
    }

    /**
     * Turns a SELECT into a claim: see {@link Claim}. Of one row; of several with {@code rows(Rows.MANY)}, and then it ends in
     * ORDER BY and needs a transaction.
     *
     * @param query one that was not executed yet
     * @param token the token of the lease
     * @return the claim, whose {@link FencedQuery#query()} is mapped and read as usual
     */
    public static FencedQuery claim(Query query, FencingToken token) {
        return FencedQuery.claim(query, PresentedToken.of(token));
    }

    /** As {@link #claim(Query, FencingToken)}, with the token of {@code lease}. */
    public static FencedQuery claim(Query query, Lease lease) {
        return FencedQuery.claim(query, PresentedToken.of(lease));
    }

    /**
     * Begins a guarded statement on one row that needs no SQL text.
     *
     * @param table as it is written in SQL, with its schema if need be
     */
    public static RowWrite row(String table) {
        return new RowWrite(table);
    }
}
