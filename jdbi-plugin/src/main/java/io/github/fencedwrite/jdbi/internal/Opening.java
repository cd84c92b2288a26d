package io.github.fencedwrite.jdbi.internal;

import io.github.fencedwrite.Lease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction without a fence row begins with: its id is asked for, so that its fate can be found out, and its limits
 * are set. Goes to the server together with the first guarded statement, in one round trip, or on its own where that cannot be.
 * Used once, by one thread.
 */
final class Opening {

    private static final String ID = "SELECT " + ServerTransaction.COLUMNS;
    private static final String LIMITED = "SELECT " + ServerTransaction.COLUMNS + ", "
            + TransactionLimits.set("p.patience", ", ") + " FROM (SELECT ?::text AS patience) AS p";

    private final @Nullable Lease lease;
    private @Nullable ServerTransaction transaction;

    /** An opening with the limits of {@code lease}; without any if that is null. */
    Opening(@Nullable Lease lease) {
        this.lease = lease;
    }

    /** The text to be put before that of another statement. */
    String prefix() {
        return (lease == null ? ID : LIMITED) + ";\n";
    }

    /** How many parameters come before those of the other statement. */
    int parameters() {
        return lease == null ? 0 : 1;
    }

    void bind(PreparedStatement statement) throws SQLException {
        if (lease != null) {
            statement.setString(1, TransactionLimits.patience(lease));
        }
    }

    /**
     * Reads the answer from a statement that was executed with the prefix, and moves on to that of the other statement.
     *
     * @return whether the other statement answers with rows
     */
    boolean read(PreparedStatement executed) throws SQLException {
        try (ResultSet result = executed.getResultSet()) {
            result.next();
            transaction = ServerTransaction.read(result);
        }
        return executed.getMoreResults();
    }

    /** Sends it on its own. */
    void send(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(lease == null ? ID : LIMITED)) {
            bind(statement);
            statement.execute();
            read(statement);
        }
    }

    /** The transaction as the server knows it; null before the answer was read. */
    @Nullable ServerTransaction transaction() {
        return transaction;
    }
}
