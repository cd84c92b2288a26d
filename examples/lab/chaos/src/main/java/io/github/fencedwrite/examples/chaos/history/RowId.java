package io.github.fencedwrite.examples.chaos.history;

/** Names a row of the database. */
public record RowId(String table, String id) {

    @Override
    public String toString() {
        return table + "(" + id + ")";
    }
}
