package io.github.fencedwrite.jdbi.internal;

import io.github.fencedwrite.jdbi.TableNotReadyException;
import io.github.fencedwrite.jdbi.WriteNotAppliedException;
import io.github.fencedwrite.jdbi.WriteOutcome;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.statement.SqlExceptionHandler;
import org.jdbi.v3.core.statement.StatementContext;

/** Says in our own words what the database's error means for a guarded statement. */
public final class ExceptionTranslator implements SqlExceptionHandler {

    /** Serialization failure, deadlock, lock not available, canceled, idle in transaction timeout, cached plan changed. */
    private static final Set<String> RETRYABLE = Set.of("40001", "40P01", "55P03", "57014", "25P03", "0A000");

    private static final String UNDEFINED_TABLE = "42P01";
    private static final String UNDEFINED_COLUMN = "42703";

    @Override
    public void handle(SQLException e, StatementContext ctx) {
        FencedCall call = ctx.getConfig(FencingConfig.class).call();
        RewriteCache.Entry entry = call == null ? null : call.entry();
        if (call == null || entry == null) {
            return;
        }
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        if (state.equals(UNDEFINED_TABLE)) {
            throw TableNotReadyException.missing(entry.guarded().table(), e);
        } else if (state.equals(UNDEFINED_COLUMN)
                && String.valueOf(e.getMessage()).contains(call.fence().column())) {
            throw TableNotReadyException.unprotected(
                    entry.guarded().table(), call.fence().column(), e);
        } else if (RETRYABLE.contains(state)) {
            raise(new WriteOutcome.Retryable(state), call, e);
        } else if (state.startsWith("08") || state.startsWith("57P")) {
            raise(new WriteOutcome.Unknown(state), call, e);
        }
    }

    private static void raise(WriteOutcome outcome, FencedCall call, SQLException cause) {
        call.finished(List.of(outcome));
        throw WriteNotAppliedException.of(outcome, call.target(0), cause);
    }
}
