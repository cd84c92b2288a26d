package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.jdbi.ReadOnlyDatabaseException;
import io.github.fencedwrite.jdbi.TableNotReadyException;
import io.github.fencedwrite.jdbi.WriteNotAppliedException;
import io.github.fencedwrite.jdbi.WriteOutcome;
import io.github.fencedwrite.jdbi.internal.postgres.SqlStates;
import io.github.fencedwrite.jdbi.internal.sql.Guarded;
import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.SqlExceptionHandler;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.jspecify.annotations.Nullable;

/** Says in our own words what the database's error means for a guarded statement. */
public final class ExceptionTranslator implements SqlExceptionHandler {

    @Override
    public void handle(SQLException e, StatementContext ctx) {
        FencedCall call = ctx.getConfig(FencingConfig.class).call();
        translate(e, call);
        if (call != null && ctx.getJdbiStatementType() != PreparedBatch.class && isUnexplainedDuplicate(e, call)) {
            throw new UnableToExecuteStatementException(
                    "The key is taken. By whom cannot be told any more, since the error has ended the transaction: if this "
                            + "call may repeat one that was committed, declare it with retry = true or return WriteOutcome, "
                            + "which sets a savepoint",
                    e,
                    ctx);
        }
    }

    /** Throws what {@code e} means; returns if it means nothing special. */
    static void translate(SQLException e, @Nullable FencedCall call) {
        RewriteCache.Entry entry = call == null ? null : call.entry();
        if (SqlStates.of(e).startsWith(SqlStates.ENFORCED_CLASS)) {
            throw Enforced.translate(e, call);
        }
        if (call == null || entry == null) {
            return;
        }
        String state = SqlStates.of(e);
        if (state.equals(SqlStates.READ_ONLY_TRANSACTION)) {
            throw new ReadOnlyDatabaseException(call.target(0), e);
        }
        if (state.equals(SqlStates.UNDEFINED_TABLE)) {
            throw TableNotReadyException.missing(entry.guarded().table(), e);
        } else if (state.equals(SqlStates.UNDEFINED_COLUMN)
                && String.valueOf(e.getMessage()).contains(call.fence().column())) {
            throw TableNotReadyException.unprotected(
                    entry.guarded().table(), call.fence().column(), e);
        } else if (SqlStates.isRetryable(e)) {
            raise(new WriteOutcome.Retryable(state), call, e);
        } else if (SqlStates.isConnectionLost(state)) {
            // before a commit nothing can have been kept; without a transaction the statement was its own commit
            raise(call.isAutoCommit() ? new WriteOutcome.Unknown(state) : new WriteOutcome.Retryable(state), call, e);
        }
    }

    /** Whether an INSERT met a row in a transaction without a savepoint; see {@link InsertAttempt}. */
    private static boolean isUnexplainedDuplicate(SQLException e, FencedCall call) {
        RewriteCache.Entry entry = call.entry();
        return SqlStates.of(e).equals(SqlStates.UNIQUE_VIOLATION)
                && entry != null
                && entry.guarded().kind() == Guarded.Kind.INSERT
                && !call.isAutoCommit()
                && !call.isRetry()
                && !call.isSilent();
    }

    private static void raise(WriteOutcome outcome, FencedCall call, SQLException cause) {
        call.finished(List.of(outcome));
        throw WriteNotAppliedException.of(outcome, call.target(0), cause);
    }
}
