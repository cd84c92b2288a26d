package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.jdbi.internal.sql.GuardSpec;
import io.github.fencedwrite.jdbi.internal.statement.PresentedToken;
import org.jdbi.v3.core.statement.Query;

/**
 * A claim, or a statement with RETURNING and a guard. Like the query itself it is used once, by one thread. The guard is in force
 * from the start: outcomes other than applied and not found are thrown when the query is executed.
 */
public final class FencedQuery {

    private final Query query;
    private final FluentGuard guard;
    private final boolean claim;

    private FencedQuery(Query query, PresentedToken token, GuardSpec guard) {
        this.query = query;
        this.guard = FluentGuard.put(query, token, guard);
        this.claim = guard.claim();
    }

    static FencedQuery write(Query query, PresentedToken token) {
        return new FencedQuery(query, token, GuardSpec.write(FenceMode.FIRST, Rows.ONE, GuardSpec.COLUMN));
    }

    static FencedQuery claim(Query query, PresentedToken token) {
        return new FencedQuery(query, token, GuardSpec.claim(Rows.ONE, GuardSpec.COLUMN));
    }

    /**
     * Sets what is expected of the row's token; {@link FenceMode#FIRST} unless set.
     *
     * @throws IllegalStateException if this is a claim, which has no mode
     */
    public FencedQuery mode(FenceMode expected) {
        if (claim) {
            throw new IllegalStateException("A claim has no mode: it takes rows of older tokens, and of its own.");
        }
        guard.mode(expected);
        return this;
    }

    /** Sets how many rows the condition covers; {@link Rows#ONE} unless set. */
    public FencedQuery rows(Rows covered) {
        guard.rows(covered);
        return this;
    }

    /** Sets the token column; {@code last_token} unless set. */
    public FencedQuery column(String name) {
        guard.column(name);
        return this;
    }

    /** The query, guarded, to be mapped and read as usual. */
    public Query query() {
        return query;
    }
}
