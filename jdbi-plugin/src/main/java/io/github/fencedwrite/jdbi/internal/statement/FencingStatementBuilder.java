package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.jdbi.StatementRefusedException;
import io.github.fencedwrite.jdbi.internal.ownership.HandleTransactions;
import io.github.fencedwrite.jdbi.internal.ownership.TransactionOwner;
import io.github.fencedwrite.jdbi.internal.sql.ParameterStyle;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.statement.StatementBuilder;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;

/** Puts a {@link FencedStatement} in front of each guarded statement and leaves all others alone. */
public final class FencingStatementBuilder implements StatementBuilder {

    private final StatementBuilder delegate;
    private final HandleTransactions transactions;
    private @Nullable Scope scope;

    /** Wraps the builder of a handle. */
    public FencingStatementBuilder(StatementBuilder delegate, HandleTransactions transactions) {
        this.delegate = delegate;
        this.transactions = transactions;
    }

    @Override
    public Statement create(Connection conn, StatementContext ctx) throws SQLException {
        refuseInScope(ctx, "Scripts and plain batches");
        transactions.beforeStatement(false);
        return delegate.create(conn, ctx);
    }

    @Override
    public PreparedStatement create(Connection conn, String sql, StatementContext ctx) throws SQLException {
        FencingConfig config = ctx.getConfig(FencingConfig.class);
        FencedCall call = config.call();
        if (call == null && scope != null) {
            call = scope.callFor(sql, ctx.isConcurrentUpdatable());
            config.attach(call);
        }
        if (call == null) {
            transactions.beforeStatement(false);
            return delegate.create(conn, sql, ctx);
        }
        RewriteCache.Entry entry = call.entry();
        if (entry == null || !entry.forJdbi().getSql().equals(sql)) {
            // the text has gone through a parser that is not ours, so what is left of parameters are question marks
            entry = config.rewrite(sql, ParameterStyle.JDBC, call);
            call.rewritten(entry, ctx.getParsedSql().getParameters().getParameterNames());
        }
        boolean autoCommit = conn.getAutoCommit();
        if (!autoCommit) {
            requireOwner();
        }
        transactions.beforeStatement(true);
        String guarded = entry.rendered().sql();
        boolean rows = entry.guarded().returning() && !ctx.isReturningGeneratedKeys();
        // rows are counted before anyone reads them, so the cursor must be able to go back
        PreparedStatement real = rows
                ? conn.prepareStatement(guarded, ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY)
                : delegate.create(conn, guarded, ctx);
        FencedStatement statement = new FencedStatement(real, call, ctx.isReturningGeneratedKeys());
        call.prepared(statement, autoCommit, entry.guarded().returning() || ctx.isReturningGeneratedKeys());
        return statement.asStatement();
    }

    /** What nobody commits is rolled back when the handle is closed, so it must not be told as applied before. */
    private void requireOwner() throws SQLException {
        TransactionOwner owner = transactions.owner();
        if (owner == TransactionOwner.NOBODY || owner == TransactionOwner.NOBODY_BUT_OPEN) {
            throw new IllegalStateException(
                    "Autocommit is off on this connection (autoCommit=false of its pool) and no transaction was begun, so this "
                            + "statement would be rolled back when the handle is closed. Write in Fencing.inTransaction or between "
                            + "handle.begin() and handle.commit(), or switch autocommit on; @Transaction and useTransaction begin "
                            + "nothing on such a connection.");
        }
    }

    @Override
    public CallableStatement createCall(Connection conn, String sql, StatementContext ctx) throws SQLException {
        refuseInScope(ctx, "Calls");
        transactions.beforeStatement(false);
        return delegate.createCall(conn, sql, ctx);
    }

    private void refuseInScope(StatementContext ctx, String what) {
        if (scope != null) {
            throw new StatementRefusedException(
                    String.valueOf(ctx.getRawSql()),
                    0,
                    what + " cannot be guarded statement by statement",
                    "Use createUpdate or prepareBatch inside the guarding scope, or Fencing.inTransaction (level 3)");
        }
    }

    @Override
    public void close(Connection conn, String sql, Statement stmt) throws SQLException {
        delegate.close(conn, sql, stmt);
    }

    @Override
    public void close(Connection conn) {
        delegate.close(conn);
    }

    /**
     * The transactions of a handle.
     *
     * @throws IllegalStateException if the plugin does not see them
     */
    public static HandleTransactions transactions(Handle handle) {
        if (handle.getStatementBuilder() instanceof FencingStatementBuilder builder) {
            return builder.transactions;
        }
        throw new IllegalStateException(
                "FencingPlugin is not installed, or another StatementBuilder was set on this handle, so Fencing does not see "
                        + "what happens to its transaction. Install the plugin, and set the builder on Jdbi with "
                        + "setStatementBuilderFactory.");
    }

    /** Runs {@code body} while all statements of {@code handle} are subject to {@code scope}. */
    public static <R extends @Nullable Object, X extends Exception> R guard(
            Handle handle, Scope scope, HandleCallback<R, X> body) throws X {
        if (!(handle.getStatementBuilder() instanceof FencingStatementBuilder builder)) {
            throw new IllegalStateException(
                    "FencingPlugin is not installed, or another StatementBuilder was set on this handle, so "
                            + "nothing would be guarded. Install the plugin, and set the builder on Jdbi with setStatementBuilderFactory.");
        }
        if (builder.scope != null) {
            throw new IllegalStateException(
                    "Guarding scopes do not nest: which of two tokens should a statement carry?");
        }
        builder.scope = scope;
        try {
            R result = body.withHandle(handle);
            if (handle.getStatementBuilder() != builder) {
                throw new IllegalStateException(
                        "Another StatementBuilder was set on the handle inside a guarding scope; statements "
                                + "behind that were not guarded. Roll back.");
            }
            return result;
        } finally {
            builder.scope = null;
        }
    }
}
