package io.github.fencedwrite.jdbi.internal.transaction;

import io.github.fencedwrite.Lease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction without a fence row begins with, before its first statement: its id is asked for, so that its fate can be
 * found out, and its limits are set. Used once, by one thread.
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

    /** Sends it. */
    void send(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(lease == null ? ID : LIMITED)) {
            if (lease != null) {
                statement.setString(1, TransactionLimits.patience(lease));
            }
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                transaction = ServerTransaction.read(result);
            }
        }
    }

    /** The transaction as the server knows it; null before the answer was read. */
    @Nullable ServerTransaction transaction() {
        return transaction;
    }
}
