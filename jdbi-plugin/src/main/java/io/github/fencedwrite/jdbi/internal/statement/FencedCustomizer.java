package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.jdbi.StatementRefusedException;
import io.github.fencedwrite.jdbi.internal.postgres.DriverSettings;
import io.github.fencedwrite.jdbi.internal.sql.Guarded;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Objects;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.StatementCustomizer;
import org.jspecify.annotations.Nullable;

/** Sees to it that a guarded statement really is one, and has its result read. */
public final class FencedCustomizer implements StatementCustomizer {

    /** Made once, by the plugin. */
    public FencedCustomizer() {}

    @Override
    public void beforeBinding(PreparedStatement stmt, StatementContext ctx) throws SQLException {
        FencedCall call = call(ctx);
        if (call == null) {
            return;
        }
        if (call.statement() == null) {
            throw new IllegalStateException(
                    "Another StatementBuilder was set on the handle after FencingPlugin had prepared it, "
                            + "so the statement was not guarded and not run. Set it on Jdbi, with setStatementBuilderFactory.");
        }
        if (ctx.getParsedSql().getParameters().getParameterCount() == 0) {
            // the token's own name is bound too, and Jdbi would call it superfluous
            ctx.getConfig(SqlStatements.class).setUnusedBindingAllowed(true);
        }
        call.requireTransactionForSeveral(call.isAutoCommit());
    }

    private static void refuseJoinedUpserts(FencedStatement statement, RewriteCache.Entry entry) throws SQLException {
        boolean several = statement.batchSize() > 1 && entry.guarded().kind() == Guarded.Kind.UPSERT;
        if (several && DriverSettings.joinsBatchedInserts(statement.real().getConnection())) {
            throw new StatementRefusedException(
                    entry.original(),
                    0,
                    "the driver joins batched inserts (reWriteBatchedInserts) and then cannot tell which rows were refused",
                    "Switch that off for this data source, or write one INSERT with several VALUES rows and rows = MANY");
        }
    }

    @Override
    public void beforeExecution(PreparedStatement stmt, StatementContext ctx) throws SQLException {
        FencedCall call = call(ctx);
        if (call == null) {
            return;
        }
        RewriteCache.Entry entry = Objects.requireNonNull(call.entry());
        refuseJoinedUpserts(Objects.requireNonNull(call.statement()), entry);
    }

    @Override
    public void afterExecution(PreparedStatement stmt, StatementContext ctx) throws SQLException {
        FencedCall call = call(ctx);
        if (call != null) {
            OutcomeReader.read(call);
        }
    }

    private static @Nullable FencedCall call(StatementContext ctx) {
        return ctx.getConfig(FencingConfig.class).call();
    }
}
