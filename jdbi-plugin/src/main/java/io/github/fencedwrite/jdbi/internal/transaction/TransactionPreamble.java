package io.github.fencedwrite.jdbi.internal.transaction;

import io.github.fencedwrite.Lease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction without a fence row begins with: it asks for the transaction's id, so that its fate can be found out, and
 * sets its limits. One statement ahead of all others, so that neither is lost with a savepoint.
 */
final class TransactionPreamble {

    private static final String ID = "SELECT " + ServerTransaction.COLUMNS;
    private static final String LIMITED =
            ID + ", " + TransactionLimits.set(", ") + " FROM (SELECT " + TransactionLimits.PARAMETERS + ") AS p";

    private TransactionPreamble() {}

    /** Sends it; without limits if {@code lease} is null. */
    static ServerTransaction send(Connection connection, @Nullable Lease lease) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(lease == null ? ID : LIMITED)) {
            if (lease != null) {
                TransactionLimits.bind(statement, 1, lease);
            }
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                return ServerTransaction.read(result);
            }
        }
    }
}
