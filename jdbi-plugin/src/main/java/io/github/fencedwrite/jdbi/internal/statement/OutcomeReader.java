package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.jdbi.Rows;
import io.github.fencedwrite.jdbi.TableNotReadyException;
import io.github.fencedwrite.jdbi.TooManyRowsException;
import io.github.fencedwrite.jdbi.WriteNotAppliedException;
import io.github.fencedwrite.jdbi.WriteOutcome;
import io.github.fencedwrite.jdbi.internal.postgres.SqlStates;
import io.github.fencedwrite.jdbi.internal.sql.Guarded;
import io.github.fencedwrite.jdbi.internal.sql.Template;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Turns the answer of a guarded statement into outcomes. A count that leaves nothing open costs no further statement; any other
 * is explained by one probe in the same transaction, or by what was counted before a statement for several rows ran.
 */
final class OutcomeReader {

    private final FencedCall call;
    private final Guarded guarded;
    private final FencedStatement statement;
    private @Nullable SQLException cause;

    private OutcomeReader(FencedCall call) {
        this.call = call;
        this.guarded = Objects.requireNonNull(call.entry()).guarded();
        this.statement = Objects.requireNonNull(call.statement());
    }

    /**
     * Reads the result of the execution that has just ended.
     *
     * @throws WriteNotAppliedException for outcomes that the caller cannot receive in another way
     */
    static void read(FencedCall call) throws SQLException {
        if (!call.outcomes().isEmpty()) {
            return; // an error has told
        }
        OutcomeReader reader = new OutcomeReader(call);
        long[] counts = reader.statement.counts();
        if (counts == null) {
            counts = new long[] {reader.statement.count()};
        }
        List<WriteOutcome> outcomes = new ArrayList<>(counts.length);
        for (int row = 0; row < counts.length; row++) {
            outcomes.add(reader.outcome(counts[row], row));
        }
        call.finished(RegressionCheck.ask(outcomes, call::lease));
        for (int row = 0; row < counts.length; row++) {
            reader.raise(call.outcomes().get(row), row);
        }
    }

    /**
     * What a violated unique constraint means for an INSERT, asked outside the transaction that it has ended; null if it is what
     * it says, a duplicate. A row that cannot be found by the values as they were written (the database has changed them, or the
     * constraint is on an expression) may well be a newer holder's, and is taken for that.
     */
    static @Nullable WriteOutcome duplicate(FencedCall call, SQLException violation) throws SQLException {
        OutcomeReader reader = new OutcomeReader(call);
        KeyProbe key =
                KeyProbe.ofViolated(violation, call, reader.statement.real().getConnection());
        if (!key.isOfTarget()) {
            return null;
        }
        Template probe = key.probe();
        TokenCounts found = probe == null ? null : TokenCounts.ask(probe, reader.statement, 0);
        if (found == null || found.rows() == 0) {
            return new WriteOutcome.Stale(call.token(0), null);
        } else if (found.newer() > 0) {
            return RegressionCheck.ask(WriteOutcomes.stale(call.token(0), found), call.lease(0));
        }
        // a repetition finds all of its rows; fewer were written by another statement of this lease
        return found.same() >= reader.guarded.valuesRows() ? new WriteOutcome.AlreadyWritten(call.token(0)) : null;
    }

    private void raise(WriteOutcome outcome, int row) {
        if (call.isSilent() && !(outcome instanceof WriteOutcome.Partial && !call.isPartialWanted())) {
            return;
        }
        boolean harmless = outcome.isApplied()
                || outcome instanceof WriteOutcome.NotFound
                || (outcome instanceof WriteOutcome.AlreadyWritten && call.isRetry());
        if (!harmless) {
            throw WriteNotAppliedException.of(outcome, call.target(row), cause);
        }
    }

    private WriteOutcome outcome(long count, int row) throws SQLException {
        if (count < 0 && guarded.kind() == Guarded.Kind.INSERT) {
            return new WriteOutcome.Applied(guarded.valuesRows());
        }
        if (count < 0) {
            throw new IllegalStateException(
                    "The driver answered " + count + " instead of a number of rows, so it cannot be told "
                            + "whether " + call.target(row)
                            + " was written. Roll back; switch reWriteBatchedInserts off for guarded "
                            + "upserts.");
        }
        boolean many = call.fence().rows() == Rows.MANY;
        if (!many && count > Math.max(1, guarded.valuesRows())) {
            throw new TooManyRowsException(call.target(row), count);
        }
        TokenCounts before = statement.before(row);
        if (before != null) {
            requireTokens(before);
            return new WriteOutcomes(call, guarded, row).ofSeveral(count, before);
        }
        boolean complete = guarded.valuesRows() > 0 ? count >= guarded.valuesRows() : !many;
        return count > 0 && complete ? new WriteOutcome.Applied(count) : explain(count, row);
    }

    /** Nothing was written if the row cannot be looked at any more: either its count is 0, or its transaction is over. */
    private WriteOutcome explain(long count, int row) throws SQLException {
        try {
            return look(count, row);
        } catch (SQLException e) {
            String state = SqlStates.of(e);
            if (SqlStates.isConnectionLost(state) || SqlStates.isRetryable(e)) {
                cause = e;
                return new WriteOutcome.Retryable(state);
            }
            throw e;
        }
    }

    private WriteOutcome look(long count, int row) throws SQLException {
        Template probe = guarded.probe();
        if (probe == null && guarded.conflict() != null) {
            probe = KeyProbe.of(guarded.conflict(), call, statement.real().getConnection())
                    .probe();
        }
        TokenCounts found = probe == null ? null : TokenCounts.ask(probe, statement, row);
        if (found != null) {
            requireTokens(found);
        }
        return new WriteOutcomes(call, guarded, row).of(count, found);
    }

    private void requireTokens(TokenCounts counts) {
        if (counts.missing() > 0) {
            throw TableNotReadyException.nullToken(guarded.table(), call.fence().column());
        }
    }
}
