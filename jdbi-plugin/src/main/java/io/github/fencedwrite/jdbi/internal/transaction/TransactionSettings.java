package io.github.fencedwrite.jdbi.internal.transaction;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The settings that a fenced section changes, as they were before it. Immutable. */
final class TransactionSettings {

    private static final List<String> NAMES =
            List.of("fencing.token", "lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout");

    private static final String READ = NAMES.stream()
            .map(name -> "pg_catalog.current_setting('" + name + "', true)")
            .collect(Collectors.joining(", ", "SELECT ", ""));
    private static final String WRITE = NAMES.stream()
            .map(name -> "pg_catalog.set_config('" + name + "', ?, true)")
            .collect(Collectors.joining(", ", "SELECT ", ""));

    private final List<@Nullable String> values;

    private TransactionSettings(List<@Nullable String> values) {
        this.values = values;
    }

    static TransactionSettings read(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(READ);
                ResultSet row = statement.executeQuery()) {
            row.next();
            List<@Nullable String> values = new ArrayList<>();
            for (int i = 1; i <= NAMES.size(); i++) {
                values.add(row.getString(i));
            }
            return new TransactionSettings(values);
        }
    }

    /** Makes them what they were, for the rest of the transaction. */
    void restore(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(WRITE)) {
            for (int i = 0; i < NAMES.size(); i++) {
                String value = values.get(i);
                statement.setString(i + 1, value == null ? "" : value); // a setting of ours cannot be unset again
            }
            statement.execute();
        }
    }
}
