package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.Rows;
import io.github.fencedwrite.jdbi.TableNotReadyException;
import io.github.fencedwrite.jdbi.WriteNotAppliedException;
import io.github.fencedwrite.jdbi.WriteOutcome;
import io.github.fencedwrite.jdbi.internal.postgres.SqlStates;
import io.github.fencedwrite.jdbi.internal.sql.Guarded;
import io.github.fencedwrite.jdbi.internal.sql.Template;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Turns the answer of a guarded statement into outcomes. A count that leaves nothing open costs no further statement; any other
 * is explained by one probe in the same transaction.
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

    /** What the probe answers; see {@link Guarded#PROBE_COLUMNS}. */
    private record Probed(long rows, long newer, long same, long missing, long greatest) {}

    /**
     * Reads the result of the execution that has just ended.
     *
     * @param generatedKeys whether the statement was prepared to answer with generated keys
     * @throws WriteNotAppliedException for outcomes that the caller cannot receive in another way
     */
    static void read(FencedCall call, boolean generatedKeys) throws SQLException {
        if (!call.outcomes().isEmpty()) {
            return; // an error has told
        }
        OutcomeReader reader = new OutcomeReader(call);
        long[] counts = reader.statement.counts();
        if (counts == null) {
            counts = new long[] {reader.count(generatedKeys)};
        }
        List<WriteOutcome> outcomes = new ArrayList<>(counts.length);
        for (int row = 0; row < counts.length; row++) {
            outcomes.add(RegressionCheck.ask(reader.outcome(counts[row], row), call.lease(row)));
        }
        call.finished(outcomes);
        if (!call.isSilent()) {
            for (int row = 0; row < counts.length; row++) {
                reader.raise(outcomes.get(row), row);
            }
        }
    }

    /**
     * What a violated unique constraint means for an INSERT, asked outside the transaction that it has ended; null if it is what it says, a duplicate.
     */
    static @Nullable WriteOutcome duplicate(FencedCall call, SQLException violation) throws SQLException {
        OutcomeReader reader = new OutcomeReader(call);
        String constraint = KeyProbe.violated(violation);
        RewriteCache.Entry entry = Objects.requireNonNull(call.entry());
        Template probe = constraint == null
                ? null
                : KeyProbe.by(constraint, call, entry, reader.statement.real().getConnection());
        if (probe == null) {
            return null;
        }
        Probed probed = reader.probe(probe, 0);
        if (probed.newer > 0) {
            WriteOutcome stale = new WriteOutcome.Stale(call.token(0), FencingToken.of(probed.greatest));
            return RegressionCheck.ask(stale, call.lease(0));
        }
        return probed.same > 0 ? new WriteOutcome.AlreadyWritten(call.token(0)) : null;
    }

    /** Locks the rows of a claim in the order that the user gave. */
    static void lock(FencedCall call, Template lock) throws SQLException {
        FencedStatement statement = Objects.requireNonNull(call.statement());
        Template.Rendered rendered = lock.forJdbc();
        try (PreparedStatement locking = statement.real().getConnection().prepareStatement(rendered.sql())) {
            // behind a fetch size only the first rows would be read, and locked
            locking.setFetchSize(0);
            statement.bindCurrent(locking, rendered.slots());
            locking.execute();
        }
    }

    private void raise(WriteOutcome outcome, int row) {
        boolean harmless = outcome.isApplied()
                || outcome instanceof WriteOutcome.NotFound
                || (outcome instanceof WriteOutcome.AlreadyWritten && call.isRetry());
        if (!harmless) {
            throw WriteNotAppliedException.of(outcome, call.target(row), cause);
        }
    }

    private long count(boolean generatedKeys) throws SQLException {
        PreparedStatement real = statement.real();
        if (guarded.returning() && !generatedKeys) {
            ResultSet rows = real.getResultSet();
            rows.last();
            long count = rows.getRow();
            rows.beforeFirst();
            return count;
        }
        return real.getLargeUpdateCount();
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
            throw new IllegalStateException(
                    call.target(row) + ": " + count + " rows were written by a statement for one. Make its "
                            + "condition cover a unique key, or declare rows = MANY. In autocommit they stay written.");
        }
        if (count > 0 && !many && count >= guarded.valuesRows()) {
            return new WriteOutcome.Applied(count);
        }
        return explain(count, row);
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
        FencingToken token = call.token(row);
        Template probe = guarded.probe();
        if (probe == null && guarded.conflict() != null) {
            RewriteCache.Entry entry = Objects.requireNonNull(call.entry());
            probe = KeyProbe.by(
                    guarded.conflict(), call, entry, statement.real().getConnection());
        }
        if (probe == null) {
            if (count > 0) {
                return new WriteOutcome.Applied(count);
            }
            // which rows were meant is not known; a refusal must not pass for a row that is not there
            boolean refused = guarded.kind() == Guarded.Kind.UPSERT || guarded.kind() == Guarded.Kind.PLACED;
            return refused ? new WriteOutcome.Stale(token, null) : new WriteOutcome.NotFound();
        }
        Probed probed = probe(probe, row);
        if (probed.missing > 0) {
            throw TableNotReadyException.nullToken(guarded.table(), call.fence().column());
        }
        if (count > 0) {
            return probed.newer == 0
                    ? new WriteOutcome.Applied(count)
                    : new WriteOutcome.Partial(token, count, probed.newer);
        } else if (probed.newer > 0) {
            return new WriteOutcome.Stale(token, FencingToken.of(probed.greatest));
        } else if (probed.same > 0
                && call.fence().mode() == FenceMode.FIRST
                && !call.fence().claim()) {
            return new WriteOutcome.AlreadyWritten(token);
        } else if (probed.rows > 0
                && probed.same == 0
                && call.fence().mode() == FenceMode.CLAIMED
                && !call.fence().claim()) {
            return new WriteOutcome.NotClaimed(token, probed.greatest);
        }
        return new WriteOutcome.NotFound();
    }

    private Probed probe(Template probe, int row) throws SQLException {
        Template.Rendered rendered = probe.forJdbc();
        try (PreparedStatement probing = statement.real().getConnection().prepareStatement(rendered.sql())) {
            statement.bind(probing, rendered.slots(), row);
            try (ResultSet result = probing.executeQuery()) {
                result.next();
                return new Probed(
                        result.getLong(1), result.getLong(2), result.getLong(3), result.getLong(4), result.getLong(5));
            }
        }
    }
}
