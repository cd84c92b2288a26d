package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.jdbi.internal.postgres.ServerMessage;
import io.github.fencedwrite.jdbi.internal.sql.Guard;
import io.github.fencedwrite.jdbi.internal.sql.Template;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The probe of an INSERT whose rows are found by a constraint that only the catalog knows.
 *
 * @param isOfTarget whether the constraint is one of the statement's table, or of one of its partitions
 * @param probe null if the key cannot be told from the text
 */
record KeyProbe(boolean isOfTarget, @Nullable Template probe) {

    private static final KeyProbe OF_ANOTHER_TABLE = new KeyProbe(false, null);

    // A violation names the index of the partition. Columns that an index only includes are no part of its key; an
    // expression
    // in it is no column, and comes as NULL.
    private static final String COLUMNS = "SELECT a.attname FROM pg_catalog.pg_class AS i"
            + " JOIN pg_catalog.pg_namespace AS n ON n.oid = i.relnamespace"
            + " JOIN pg_catalog.pg_index AS x ON x.indexrelid = i.oid"
            + " CROSS JOIN pg_catalog.generate_series(0, x.indnkeyatts - 1) AS k"
            + " LEFT JOIN pg_catalog.pg_attribute AS a ON a.attrelid = x.indrelid AND a.attnum = x.indkey[k]"
            + " CROSS JOIN pg_catalog.to_regclass(?) AS target"
            + " WHERE i.relname = ? AND n.nspname = coalesce(?, n.nspname) AND (x.indrelid = target"
            + " OR EXISTS (SELECT FROM pg_catalog.pg_partition_ancestors(x.indrelid) AS p(relid) WHERE p.relid = target))";

    /** The probe by the constraint that an error names. */
    static KeyProbe ofViolated(SQLException violation, FencedCall call, Connection connection) throws SQLException {
        String constraint = ServerMessage.constraint(violation);
        return constraint == null
                ? OF_ANOTHER_TABLE
                : of(ServerMessage.schema(violation), constraint, call, connection);
    }

    /** The probe by a constraint that the statement names. */
    static KeyProbe of(String constraint, FencedCall call, Connection connection) throws SQLException {
        return of(null, constraint, call, connection);
    }

    private static KeyProbe of(@Nullable String schema, String constraint, FencedCall call, Connection connection)
            throws SQLException {
        RewriteCache.Entry entry = Objects.requireNonNull(call.entry());
        List<@Nullable String> columns = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
            statement.setString(1, entry.guarded().table());
            statement.setString(2, constraint);
            statement.setString(3, schema);
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    columns.add(result.getString(1));
                }
            }
        }
        if (columns.isEmpty()) {
            return OF_ANOTHER_TABLE;
        }
        boolean told = columns.stream().allMatch(Objects::nonNull);
        List<String> key = columns.stream().filter(Objects::nonNull).toList();
        return new KeyProbe(
                true,
                told
                        ? Guard.rewrite(entry.original(), entry.style(), call.fence(), key)
                                .probe()
                        : null);
    }
}
