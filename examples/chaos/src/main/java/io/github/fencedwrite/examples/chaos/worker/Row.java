package io.github.fencedwrite.examples.chaos.worker;

import io.github.fencedwrite.examples.chaos.history.RowId;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jdbi.v3.core.mapper.RowMapper;

/** A row as it was read. */
record Row(RowId id, long value, long version) {

    static RowMapper<Row> of(String table) {
        return (ResultSet result, org.jdbi.v3.core.statement.StatementContext ctx) -> read(table, result);
    }

    private static Row read(String table, ResultSet result) throws SQLException {
        return new Row(new RowId(table, result.getString("id")), result.getLong("value"), result.getLong("version"));
    }
}
