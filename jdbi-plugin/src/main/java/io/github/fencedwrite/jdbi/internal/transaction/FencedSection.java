package io.github.fencedwrite.jdbi.internal.transaction;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.internal.ownership.HandleTransactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A fenced part of a transaction, or the whole of it: entered through the fence rows, in their order, or with a preamble where
 * none is taken. Immutable.
 *
 * @param rows one or more, in the order in which their locks were taken
 * @param takesRows whether the fence rows are taken at all; otherwise the body's own statements carry the token
 */
record FencedSection(List<FenceRow> rows, boolean takesRows) implements HandleTransactions.Section {

    /**
     * A section under leases.
     *
     * @throws IllegalArgumentException if there is none
     */
    static FencedSection of(List<Lease> leases, boolean takesRows) {
        if (leases.isEmpty()) {
            throw new IllegalArgumentException("A fenced transaction needs a lease, and the list is empty.");
        }
        return new FencedSection(
                leases.stream()
                        .map(lease -> new FenceRow(lease.resource(), lease.token(), lease))
                        .toList(),
                takesRows);
    }

    /** Whether it is fenced for the same resources with the same tokens. */
    boolean isSameAs(FencedSection other) {
        return takesRows == other.takesRows && identity().equals(other.identity());
    }

    private List<Object> identity() {
        return rows.stream()
                .<Object>map(row -> List.of(row.resource(), row.token()))
                .toList();
    }

    @Override
    public String resources() {
        return rows.stream().map(row -> '"' + row.resource() + '"').collect(Collectors.joining(", "));
    }

    /** The row that messages are about. */
    FenceRow first() {
        return rows.get(0);
    }

    /** Enters in a transaction. */
    ServerTransaction enter(Connection connection) throws SQLException {
        ServerTransaction transaction = null;
        for (FenceRow row : rows) {
            transaction = takesRows ? row.enter(connection) : TransactionPreamble.send(connection, row.lease());
        }
        if (takesRows && rows.size() > 1) {
            announceNone(connection);
        }
        return Objects.requireNonNull(transaction);
    }

    /** Tokens of several resources cannot be compared, so none of them may be stamped on whatever is written. */
    private static void announceNone(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT pg_catalog.set_config('fencing.token', '', true)")) {
            statement.execute();
        }
    }
}
