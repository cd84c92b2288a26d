package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.internal.FencedCall;
import io.github.fencedwrite.jdbi.internal.FencingConfig;
import io.github.fencedwrite.jdbi.internal.sql.Fence;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.Update;

/** The fluent form of guarded statements, for code that uses handles instead of SQL Objects. */
public final class Fencing {

    private Fencing() {}

    /**
     * Guards an update.
     *
     * @param update one that was not executed yet; parameters may be bound before or afterwards
     * @param token the token of the lease
     * @return the guarded statement, to be executed with {@link FencedUpdate#execute()}
     */
    public static FencedUpdate fence(Update update, FencingToken token) {
        return new FencedUpdate(update, token);
    }

    /** As {@link #fence(Update, FencingToken)}, with the token of {@code lease}; messages then tell of the lease too. */
    public static FencedUpdate fence(Update update, Lease lease) {
        return new FencedUpdate(update, lease);
    }

    /**
     * Turns a SELECT of one row into a claim: see {@link Claim}.
     *
     * @param query one that was not executed yet
     * @param token the token of the lease
     * @return {@code query}, to be mapped and read as usual; a newer token throws {@link StaleTokenException}
     */
    public static Query claim(Query query, FencingToken token) {
        return claim(query, token, FenceRows.ONE);
    }

    /** As {@link #claim(Query, FencingToken)}, with the token of {@code lease}. */
    public static Query claim(Query query, Lease lease) {
        return claim(query, lease, FenceRows.ONE);
    }

    /**
     * Turns a SELECT of several rows, which ends in ORDER BY, into a claim. Needs a transaction.
     *
     * @param query one that was not executed yet
     * @param token the token of the lease
     */
    public static Query claimAll(Query query, FencingToken token) {
        return claim(query, token, FenceRows.MANY);
    }

    /** As {@link #claimAll(Query, FencingToken)}, with the token of {@code lease}. */
    public static Query claimAll(Query query, Lease lease) {
        return claim(query, lease, FenceRows.MANY);
    }

    private static Query claim(Query query, Object token, FenceRows rows) {
        FencedCall call = new FencedCall(Fence.claim(rows, Fence.COLUMN), true);
        call.present(token);
        FencingConfig.fence(query, call);
        return query;
    }
}
