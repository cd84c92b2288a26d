package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.jdbi.internal.sql.Guard;
import io.github.fencedwrite.jdbi.internal.sql.Template;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes the probe of an INSERT whose rows are found by a constraint that only the catalog knows. */
final class KeyProbe {

    private static final Pattern VIOLATED = Pattern.compile("unique constraint \"((?:[^\"]|\"\")+)\"");

    private static final String COLUMNS = "SELECT a.attname FROM pg_catalog.pg_class AS i"
            + " JOIN pg_catalog.pg_index AS x ON x.indexrelid = i.oid"
            + " JOIN pg_catalog.pg_attribute AS a ON a.attrelid = x.indrelid AND a.attnum = ANY (x.indkey)"
            + " WHERE i.relname = ? AND x.indrelid = pg_catalog.to_regclass(?) AND x.indexprs IS NULL";

    private KeyProbe() {}

    /** The constraint that an error message names; null if it names none. */
    static @Nullable String violated(SQLException e) {
        Matcher matcher = VIOLATED.matcher(String.valueOf(e.getMessage()));
        return matcher.find() ? matcher.group(1) : null;
    }

    /** The probe by the columns of {@code constraint}; null if they cannot be told. */
    static @Nullable Template by(String constraint, FencedCall call, RewriteCache.Entry entry, Connection connection)
            throws SQLException {
        List<String> columns = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
            statement.setString(1, constraint);
            statement.setString(2, entry.guarded().table());
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    columns.add(result.getString(1));
                }
            }
        }
        return columns.isEmpty()
                ? null
                : Guard.rewrite(entry.original(), entry.dialect(), call.fence(), columns)
                        .probe();
    }
}
