package io.github.fencedwrite.examples.chaos.worker;

import io.github.fencedwrite.examples.chaos.history.RowId;
import org.jdbi.v3.core.mapper.RowMapper;

/** A row as it was read. */
record Row(RowId id, long value, long version) {

    static RowMapper<Row> of(String table) {
        return (result, ctx) ->
                new Row(new RowId(table, result.getString("id")), result.getLong("value"), result.getLong("version"));
    }
}
