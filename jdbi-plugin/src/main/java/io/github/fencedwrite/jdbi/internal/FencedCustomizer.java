package io.github.fencedwrite.jdbi.internal;

import io.github.fencedwrite.jdbi.FenceRows;
import io.github.fencedwrite.jdbi.internal.sql.Template;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Objects;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.StatementCustomizer;

/** Sees to it that a guarded statement really is one, and has its result read. */
final class FencedCustomizer implements StatementCustomizer {

    static final FencedCustomizer INSTANCE = new FencedCustomizer();

    private FencedCustomizer() {}

    @Override
    public void beforeBinding(PreparedStatement stmt, StatementContext ctx) throws SQLException {
        FencedCall call = call(ctx);
        RewriteCache.Entry entry = call.entry();
        if (entry == null || ctx.getParsedSql() != entry.forJdbi()) {
            throw new IllegalStateException(
                    "Another SqlParser was set after the statement was fenced, so it was not guarded "
                            + "and not run. Set the parser first.");
        }
        FencedStatement statement = call.statement();
        if (statement == null) {
            throw new IllegalStateException(
                    "Another StatementBuilder was set on the handle after FencingPlugin had prepared it, "
                            + "so the statement was not run. Set it on Jdbi, with setStatementBuilderFactory.");
        }
        if (entry.forJdbi().getParameters().getParameterCount() == 0) {
            // the token's own name is bound too, and Jdbi would call it superfluous
            ctx.getConfig(SqlStatements.class).setUnusedBindingAllowed(true);
        }
        boolean many = call.fence().rows() == FenceRows.MANY;
        if (many && ctx.getConnection().getAutoCommit()) {
            throw new IllegalStateException(
                    "rows = MANY needs a transaction, so that a write of which only a part was allowed "
                            + "can be undone. Annotate the method or its caller with @Transaction, or use handle.inTransaction.");
        }
    }

    @Override
    public void beforeExecution(PreparedStatement stmt, StatementContext ctx) throws SQLException {
        FencedCall call = call(ctx);
        Template lock = Objects.requireNonNull(call.entry()).guarded().lock();
        if (lock != null) {
            OutcomeReader.lock(call, lock);
        }
    }

    @Override
    public void afterExecution(PreparedStatement stmt, StatementContext ctx) throws SQLException {
        OutcomeReader.read(call(ctx), ctx.isReturningGeneratedKeys());
    }

    private static FencedCall call(StatementContext ctx) {
        return Objects.requireNonNull(ctx.getConfig(FencingConfig.class).call(), "the call of a guarded statement");
    }
}
