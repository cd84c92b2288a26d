package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.internal.sql.GuardSpec;
import io.github.fencedwrite.jdbi.internal.statement.JdbcCall;
import io.github.fencedwrite.jdbi.internal.statement.JdbcConnections;
import io.github.fencedwrite.jdbi.internal.statement.PresentedToken;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The same guard for plain JDBC: SQL with question marks, no Jdbi handle needed. Immutable and safe for use by many threads as
 * far as its connection is; each setter returns a new object.
 *
 * <p>With a {@link DataSource} each call runs on a connection of its own, in autocommit. One that comes with autocommit off is
 * refused, unless it is that of a transaction of Spring's on this thread. With a {@link Connection} it is part of the caller's, so a {@code ConnectionCallback} of Spring's
 * JdbcTemplate takes part in Spring's transaction.
 */
public final class FencedJdbc {

    /** Reads one row. */
    @FunctionalInterface
    public interface RowReader<T> {

        /** Reads the row at which {@code row} stands. */
        T read(ResultSet row) throws SQLException;
    }

    private final JdbcConnections connections;
    private final GuardSpec guard;
    private final boolean partial;
    private final @Nullable WriteListener listener;

    private FencedJdbc(
            JdbcConnections connections, GuardSpec guard, boolean partial, @Nullable WriteListener listener) {
        this.connections = connections;
        this.guard = guard;
        this.partial = partial;
        this.listener = listener;
    }

    private FencedJdbc(JdbcConnections connections) {
        this(connections, GuardSpec.write(FenceMode.FIRST, Rows.ONE, GuardSpec.COLUMN), false, null);
    }

    /** Guards statements on a connection that stays the caller's, as does the transaction. */
    public static FencedJdbc on(Connection connection) {
        return new FencedJdbc(JdbcConnections.of(connection));
    }

    /** Guards statements, each on a connection of its own in autocommit. */
    public static FencedJdbc on(DataSource dataSource) {
        return new FencedJdbc(JdbcConnections.of(dataSource));
    }

    /** With another expectation of the row's token; {@link FenceMode#FIRST} unless set. */
    public FencedJdbc mode(FenceMode expected) {
        return with(GuardSpec.write(expected, guard.rows(), guard.column()).withAnnouncing(guard.announcing()));
    }

    /** With another number of rows that the condition covers; {@link Rows#ONE} unless set. */
    public FencedJdbc rows(Rows covered) {
        return with(GuardSpec.write(guard.mode(), covered, guard.column()).withAnnouncing(guard.announcing()));
    }

    /** With another token column; {@code last_token} unless set. */
    public FencedJdbc column(String name) {
        return with(GuardSpec.write(guard.mode(), guard.rows(), name).withAnnouncing(guard.announcing()));
    }

    /** With the token announced to the triggers of strictly enforced tables. */
    public FencedJdbc announcing() {
        return with(guard.withAnnouncing(true));
    }

    /** Returning a write of only a part of several rows instead of throwing it; see {@link Fenced#partial()}. */
    public FencedJdbc partial(boolean accepted) {
        return new FencedJdbc(connections, guard, accepted, listener);
    }

    /** With a listener that hears of each outcome. */
    public FencedJdbc listener(WriteListener heard) {
        return new FencedJdbc(connections, guard, partial, heard);
    }

    private FencedJdbc with(GuardSpec other) {
        return new FencedJdbc(connections, other, partial, listener);
    }

    /**
     * Runs a guarded UPDATE, INSERT, upsert or DELETE.
     *
     * @param sql with question marks
     * @param token the token of the lease
     * @param parameters for the question marks, set with {@code setObject}
     * @return what became of it; stale and the like are returned, not thrown
     * @throws StatementRefusedException if the statement cannot be guarded
     * @throws IllegalStateException if the data source hands out connections with autocommit off
     * @throws TableNotReadyException if the table or its token column is missing
     * @throws PartialWriteException if only a part of several rows was written, unless {@link #partial} is set
     * @throws SQLException what the database says otherwise
     */
    public WriteOutcome update(String sql, FencingToken token, Object... parameters) throws SQLException {
        return update(sql, PresentedToken.of(token), parameters);
    }

    /** As {@link #update(String, FencingToken, Object...)}, with the token of {@code lease}. */
    public WriteOutcome update(String sql, Lease lease, Object... parameters) throws SQLException {
        return update(sql, PresentedToken.of(lease), parameters);
    }

    private WriteOutcome update(String sql, PresentedToken token, Object... parameters) throws SQLException {
        try {
            return connections.run(connection -> call(connection, guard, token).update(sql, partial, parameters));
        } catch (PartialWriteException e) {
            throw e; // returned, it would be committed
        } catch (WriteNotAppliedException e) {
            return e.outcome();
        }
    }

    /** As {@link #update(String, FencingToken, Object...)}, but throws unless the outcome is applied or not found. */
    public void updateOrThrow(String sql, FencingToken token, Object... parameters) throws SQLException {
        updateOrThrow(sql, PresentedToken.of(token), parameters);
    }

    /** As {@link #updateOrThrow(String, FencingToken, Object...)}, with the token of {@code lease}. */
    public void updateOrThrow(String sql, Lease lease, Object... parameters) throws SQLException {
        updateOrThrow(sql, PresentedToken.of(lease), parameters);
    }

    private void updateOrThrow(String sql, PresentedToken token, Object... parameters) throws SQLException {
        connections.run(connection -> {
            JdbcCall call = call(connection, guard, token);
            call.updateOrThrow(sql, parameters);
            return call;
        });
    }

    /**
     * Turns a SELECT into a claim and reads what it returns; see {@link Claim}.
     *
     * @return the rows; an empty list if there is none
     * @throws StaleTokenException if a newer token is there
     */
    public <T> List<T> claim(String sql, FencingToken token, RowReader<T> reader, Object... parameters)
            throws SQLException {
        return claim(sql, PresentedToken.of(token), reader, parameters);
    }

    /** As {@link #claim(String, FencingToken, RowReader, Object...)}, with the token of {@code lease}. */
    public <T> List<T> claim(String sql, Lease lease, RowReader<T> reader, Object... parameters) throws SQLException {
        return claim(sql, PresentedToken.of(lease), reader, parameters);
    }

    private <T> List<T> claim(String sql, PresentedToken token, RowReader<T> reader, Object... parameters)
            throws SQLException {
        GuardSpec claim = GuardSpec.claim(guard.rows(), guard.column()).withAnnouncing(guard.announcing());
        return connections.run(connection -> call(connection, claim, token).query(sql, reader, parameters));
    }

    private JdbcCall call(Connection connection, GuardSpec spec, PresentedToken token) {
        return new JdbcCall(connection, spec, token, listener);
    }
}
