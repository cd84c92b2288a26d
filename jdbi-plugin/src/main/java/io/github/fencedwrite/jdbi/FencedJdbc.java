package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.jdbi.internal.sql.GuardSpec;
import io.github.fencedwrite.jdbi.internal.statement.JdbcCall;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/**
 * The same guard for plain JDBC: SQL with question marks, no Jdbi handle needed. Immutable and safe for use by many threads as
 * far as its connection is; each setter returns a new object.
 *
 * <p>With a {@link DataSource} each call is a transaction of its own. With a {@link Connection} it is part of the caller's, so a
 * {@code ConnectionCallback} of Spring's JdbcTemplate takes part in Spring's transaction.
 */
public final class FencedJdbc {

    /** Reads one row. */
    @FunctionalInterface
    public interface RowReader<T> {

        /** Reads the row at which {@code row} stands. */
        T read(ResultSet row) throws SQLException;
    }

    private interface Connections {
        Connection open() throws SQLException;
    }

    private final Connections connections;
    private final boolean closing;
    private final FenceMode mode;
    private final String column;
    private final boolean announcing;

    private FencedJdbc(Connections connections, boolean closing, FenceMode mode, String column, boolean announcing) {
        this.connections = connections;
        this.closing = closing;
        this.mode = mode;
        this.column = column;
        this.announcing = announcing;
    }

    /** Guards statements on a connection that stays the caller's. */
    public static FencedJdbc on(Connection connection) {
        return new FencedJdbc(() -> connection, false, FenceMode.FIRST, GuardSpec.COLUMN, false);
    }

    /** Guards statements, each on a connection of its own in autocommit. */
    public static FencedJdbc on(DataSource dataSource) {
        return new FencedJdbc(dataSource::getConnection, true, FenceMode.FIRST, GuardSpec.COLUMN, false);
    }

    /** With another expectation of the row's token; {@link FenceMode#FIRST} unless set. */
    public FencedJdbc mode(FenceMode expected) {
        return new FencedJdbc(connections, closing, expected, column, announcing);
    }

    /** With another token column; {@code last_token} unless set. */
    public FencedJdbc column(String name) {
        return new FencedJdbc(connections, closing, mode, name, announcing);
    }

    /** With the token announced to the triggers of strictly enforced tables. */
    public FencedJdbc announcing() {
        return new FencedJdbc(connections, closing, mode, column, true);
    }

    /**
     * Runs a guarded UPDATE, INSERT, upsert or DELETE of one row.
     *
     * @param sql with question marks
     * @param token the token of the lease
     * @param parameters for the question marks, set with {@code setObject}
     * @return what became of it; stale and the like are returned, not thrown
     * @throws StatementRefusedException if the statement cannot be guarded
     * @throws TableNotReadyException if the table or its token column is missing
     * @throws SQLException what the database says otherwise
     */
    public WriteOutcome update(String sql, FencingToken token, Object... parameters) throws SQLException {
        GuardSpec fence = GuardSpec.write(mode, Rows.ONE, column).withAnnouncing(announcing);
        Connection connection = connections.open();
        try {
            return new JdbcCall(connection, fence, token).update(sql, parameters);
        } catch (WriteNotAppliedException e) {
            return e.outcome();
        } finally {
            close(connection);
        }
    }

    /** As {@link #update}, for callers that insist: all but applied and not found is thrown. */
    public void updateOrThrow(String sql, FencingToken token, Object... parameters) throws SQLException {
        GuardSpec fence = GuardSpec.write(mode, Rows.ONE, column).withAnnouncing(announcing);
        Connection connection = connections.open();
        try {
            new JdbcCall(connection, fence, token).updateOrThrow(sql, parameters);
        } finally {
            close(connection);
        }
    }

    /**
     * Turns a SELECT of one row into a claim and reads what it returns; see {@link Claim}.
     *
     * @return the row, or an empty list if there is none
     * @throws StaleTokenException if a newer token is there
     */
    public <T> List<T> claim(String sql, FencingToken token, RowReader<T> reader, Object... parameters)
            throws SQLException {
        GuardSpec fence = GuardSpec.claim(Rows.ONE, column).withAnnouncing(announcing);
        Connection connection = connections.open();
        try {
            return new JdbcCall(connection, fence, token).query(sql, reader, parameters);
        } finally {
            close(connection);
        }
    }

    private void close(Connection connection) throws SQLException {
        if (closing) {
            connection.close();
        }
    }
}
