package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.FencedTarget;
import io.github.fencedwrite.jdbi.Rows;
import io.github.fencedwrite.jdbi.WriteOutcome;
import io.github.fencedwrite.jdbi.internal.sql.GuardSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One execution of one guarded statement: what was asked for, and step by step what came of it. Confined to a thread. */
public final class FencedCall {

    private final GuardSpec fence;
    private final boolean retry;
    private final List<PresentedToken> tokens = new ArrayList<>(1);
    private RewriteCache.@Nullable Entry entry;
    private @Nullable FencedStatement statement;
    private @Nullable List<WriteOutcome> outcomes;
    private List<String> names = List.of();
    private @Nullable WriteListeners listeners;
    private boolean silent;
    private boolean partialWanted;
    private boolean autoCommit;
    private boolean returnsRows;

    /** Begins a call; the token follows. */
    public FencedCall(GuardSpec fence, boolean retry) {
        this.fence = fence;
        this.retry = retry;
    }

    /** What the guard shall be. */
    public GuardSpec fence() {
        return fence;
    }

    /** The lease of the token of row {@code row} (from 0) of a batch; null if only the token was given. */
    @Nullable Lease lease(int row) {
        return tokens.isEmpty() ? null : presented(row).lease();
    }

    /** The lease that an error with nothing but a token is about; null if several rows carry this token by several leases. */
    @Nullable Lease leaseOf(FencingToken token) {
        List<Lease> found = tokens.stream()
                .filter(presented -> presented.token().equals(token))
                .map(PresentedToken::lease)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        return found.size() == 1 ? found.get(0) : null;
    }

    boolean isRetry() {
        return retry;
    }

    /** Sets the token, or that of one more row of a batch. */
    public void present(PresentedToken token) {
        tokens.add(token);
    }

    /** The token of the statement, or of row {@code row} (from 0) of a batch. */
    FencingToken token(int row) {
        return presented(row).token();
    }

    /**
     * As {@link #token}, for a write that begins.
     *
     * @throws io.github.fencedwrite.jdbi.LeaseNotHeldException if the lease was released
     */
    FencingToken tokenToWrite(int row) {
        PresentedToken presented = presented(row);
        presented.requireNotReleased();
        return presented.token();
    }

    private PresentedToken presented(int row) {
        if (tokens.isEmpty()) {
            throw new IllegalStateException(
                    "No fencing token was given for this statement. Pass a FencingToken or a Lease.");
        }
        return tokens.get(Math.min(row, tokens.size() - 1));
    }

    /** From now on outcomes are only kept, for {@link #outcomes()}, and none is thrown. */
    public void keepSilent() {
        silent = true;
    }

    boolean isSilent() {
        return silent;
    }

    /** From now on a write of a part of the rows is kept like other outcomes; else it is thrown nevertheless. */
    public void acceptPartial() {
        partialWanted = true;
    }

    boolean isPartialWanted() {
        return partialWanted;
    }

    /** Sets what became of the statement, and the names of its parameters where these are not in the text. */
    void rewritten(RewriteCache.Entry rewrittenStatement, List<String> parameterNames) {
        entry = rewrittenStatement;
        names = parameterNames;
    }

    RewriteCache.@Nullable Entry entry() {
        return entry;
    }

    void prepared(FencedStatement preparedStatement, boolean inAutoCommit, boolean answersWithRows) {
        statement = preparedStatement;
        autoCommit = inAutoCommit;
        returnsRows = answersWithRows;
        outcomes = null;
    }

    /** Whether the statement was run outside a transaction. */
    boolean isAutoCommit() {
        return autoCommit;
    }

    /**
     * Refuses a statement for several rows outside a transaction.
     *
     * @throws IllegalStateException if it is one
     */
    void requireTransactionForSeveral(boolean inAutoCommit) {
        if (inAutoCommit && fence.rows() == Rows.MANY) {
            throw new IllegalStateException(
                    "rows = MANY needs a transaction, so that a write of which only a part was allowed "
                            + "can be undone. Annotate the method or its caller with @Transaction, or use handle.inTransaction.");
        }
    }

    /** Whether the caller reads rows or generated keys. */
    boolean returnsRows() {
        return returnsRows;
    }

    @Nullable FencedStatement statement() {
        return statement;
    }

    /** From now on outcomes are told to {@code others}, too. */
    void report(WriteListeners others) {
        listeners = others;
    }

    void finished(List<WriteOutcome> what) {
        outcomes = what;
        if (listeners != null && !listeners.isEmpty()) {
            for (int row = 0; row < what.size(); row++) {
                listeners.finished(target(row), what.get(row));
            }
        }
    }

    /** One outcome, or one for each row of a batch; empty if the statement was not run to its end. */
    public List<WriteOutcome> outcomes() {
        return outcomes == null ? List.of() : outcomes;
    }

    /** Table, key and token for messages, of row {@code row} (from 0) of a batch. */
    FencedTarget target(int row) {
        String table = entry == null ? "the table" : entry.guarded().table();
        String key = entry == null || statement == null
                ? ""
                : statement.describe(entry.guarded().keys(), names, row);
        return new FencedTarget(table, key, token(row), lease(row));
    }
}
