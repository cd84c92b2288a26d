package io.github.fencedwrite.jdbi.internal;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementBuilder;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;

/** Puts a {@link FencedStatement} in front of each guarded statement and leaves all others alone. */
public final class FencingStatementBuilder implements StatementBuilder {

    private final StatementBuilder delegate;
    private final Deque<FenceRow> entered = new ArrayDeque<>();

    /** Wraps the builder of a handle. */
    public FencingStatementBuilder(StatementBuilder delegate) {
        this.delegate = delegate;
    }

    @Override
    public Statement create(Connection conn, StatementContext ctx) throws SQLException {
        return delegate.create(conn, ctx);
    }

    @Override
    public PreparedStatement create(Connection conn, String sql, StatementContext ctx) throws SQLException {
        FencedCall call = ctx.getConfig(FencingConfig.class).call();
        RewriteCache.Entry entry = call == null ? null : call.entry();
        if (call == null || entry == null) {
            return delegate.create(conn, sql, ctx);
        }
        boolean rows = entry.guarded().returning() && !ctx.isReturningGeneratedKeys();
        // rows are counted before anyone reads them, so the cursor must be able to go back
        PreparedStatement real = rows
                ? conn.prepareStatement(sql, ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY)
                : delegate.create(conn, sql, ctx);
        FencedStatement statement =
                new FencedStatement(real, call, entry.rendered().slots());
        call.prepared(statement, conn.getAutoCommit());
        return statement.asStatement();
    }

    @Override
    public CallableStatement createCall(Connection conn, String sql, StatementContext ctx) throws SQLException {
        return delegate.createCall(conn, sql, ctx);
    }

    @Override
    public void close(Connection conn, String sql, Statement stmt) throws SQLException {
        delegate.close(conn, sql, stmt);
    }

    @Override
    public void close(Connection conn) {
        delegate.close(conn);
    }

    static void enter(Handle handle, FenceRow row) {
        if (handle.getStatementBuilder() instanceof FencingStatementBuilder builder) {
            builder.entered.push(row);
        }
    }

    static void leave(Handle handle, FenceRow row) {
        if (handle.getStatementBuilder() instanceof FencingStatementBuilder builder) {
            builder.entered.removeFirstOccurrence(row);
        }
    }

    /** The fence row that the handle's transaction entered last; null if none. */
    static @Nullable FenceRow entered(Handle handle) {
        return handle.getStatementBuilder() instanceof FencingStatementBuilder builder ? builder.entered.peek() : null;
    }
}
