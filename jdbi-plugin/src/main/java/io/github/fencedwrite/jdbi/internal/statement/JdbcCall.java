package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.jdbi.FencedJdbc;
import io.github.fencedwrite.jdbi.WriteListener;
import io.github.fencedwrite.jdbi.WriteOutcome;
import io.github.fencedwrite.jdbi.internal.sql.GuardSpec;
import io.github.fencedwrite.jdbi.internal.sql.ParameterStyle;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One guarded statement of plain JDBC. */
public final class JdbcCall {

    private static final RewriteCache CACHE = new RewriteCache();

    private final Connection connection;
    private final FencedCall call;

    /** Begins a call. */
    public JdbcCall(Connection connection, GuardSpec fence, PresentedToken token, @Nullable WriteListener listener) {
        this.connection = connection;
        this.call = new FencedCall(fence, fence.claim());
        call.present(token);
        WriteListeners listeners = new WriteListeners();
        listeners.add(listener);
        call.report(listeners);
    }

    /** Runs a write and answers its outcome. */
    public WriteOutcome update(String sql, boolean partial, Object... parameters) throws SQLException {
        call.keepSilent();
        if (partial) {
            call.acceptPartial();
        }
        updateOrThrow(sql, parameters);
        return call.outcomes().get(0);
    }

    /** Runs a write and throws what is neither applied nor not found. */
    public void updateOrThrow(String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = execute(sql, parameters)) {
            Objects.requireNonNull(statement);
        }
    }

    /** Runs a statement that returns rows and reads them. */
    public <T> List<T> query(String sql, FencedJdbc.RowReader<T> reader, Object... parameters) throws SQLException {
        try (PreparedStatement statement = execute(sql, parameters);
                ResultSet result = statement.getResultSet()) {
            List<T> rows = new ArrayList<>();
            while (result.next()) {
                rows.add(reader.read(result));
            }
            return rows;
        }
    }

    private PreparedStatement execute(String sql, Object... parameters) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        call.requireTransactionForSeveral(autoCommit);
        RewriteCache.Entry entry = CACHE.get(sql, ParameterStyle.JDBC, call.fence());
        call.rewritten(entry, List.of());
        PreparedStatement real = entry.guarded().returning()
                ? connection.prepareStatement(
                        entry.rendered().sql(), ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY)
                : connection.prepareStatement(entry.rendered().sql());
        try {
            FencedStatement fenced = new FencedStatement(real, call, false);
            call.prepared(fenced, autoCommit, entry.guarded().returning());
            PreparedStatement statement = fenced.asStatement();
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            statement.execute();
            OutcomeReader.read(call);
            return real;
        } catch (SQLException e) {
            real.close();
            ExceptionTranslator.translate(e, call);
            throw e;
        } catch (RuntimeException e) {
            real.close();
            throw e;
        }
    }
}
