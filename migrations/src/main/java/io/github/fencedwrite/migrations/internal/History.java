package io.github.fencedwrite.migrations.internal;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The history table {@code fencing.flyway_schema_history}, in the format that Flyway has kept since its version 5: what
 * one of the ways to install has recorded, the others take as done.
 */
final class History {

    static final String CREATE = """
            CREATE TABLE IF NOT EXISTS fencing.flyway_schema_history (
                installed_rank integer NOT NULL CONSTRAINT flyway_schema_history_pk PRIMARY KEY,
                version varchar(50),
                description varchar(200) NOT NULL,
                type varchar(20) NOT NULL,
                script varchar(1000) NOT NULL,
                checksum integer,
                installed_by varchar(100) NOT NULL,
                installed_on timestamp NOT NULL DEFAULT now(),
                execution_time integer NOT NULL,
                success boolean NOT NULL
            );
            CREATE INDEX IF NOT EXISTS flyway_schema_history_s_idx ON fencing.flyway_schema_history (success);
            GRANT SELECT ON fencing.flyway_schema_history TO PUBLIC;
            """;

    /** One row of the history. */
    record Entry(@Nullable String version, String script, int checksum, boolean success) {}

    private final List<Entry> entries;

    private History(List<Entry> entries) {
        this.entries = entries;
    }

    /** Reads the history; an absent table is an empty history. */
    static History read(Connection connection) throws SQLException {
        List<Entry> entries = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            if (!exists(statement)) {
                return new History(entries);
            }
            try (ResultSet rows = statement.executeQuery("SELECT version, script, coalesce(checksum, 0), success"
                    + " FROM fencing.flyway_schema_history WHERE type = 'SQL' ORDER BY installed_rank")) {
                while (rows.next()) {
                    entries.add(new Entry(rows.getString(1), rows.getString(2), rows.getInt(3), rows.getBoolean(4)));
                }
            }
        }
        return new History(entries);
    }

    private static boolean exists(Statement statement) throws SQLException {
        try (ResultSet row =
                statement.executeQuery("SELECT to_regclass('fencing.flyway_schema_history') IS NOT NULL")) {
            return row.next() && row.getBoolean(1);
        }
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** The record of a script that Flyway tried to run in vain, or null. */
    @Nullable Entry failed() {
        return entries.stream().filter(entry -> !entry.success()).findFirst().orElse(null);
    }

    /** The last record of this script, or null if it was never run. */
    @Nullable Entry of(Script script) {
        return entries.stream()
                .filter(entry -> entry.script().equals(script.file()))
                .reduce((earlier, later) -> later)
                .orElse(null);
    }

    /** Versioned scripts on record that this library does not have. */
    List<String> unknown() {
        return entries.stream()
                .filter(entry -> entry.version() != null)
                .map(Entry::script)
                .filter(script ->
                        Script.ALL.stream().noneMatch(known -> known.file().equals(script)))
                .toList();
    }

    /** The statement that records a script as run, unless its last record has this very checksum. */
    static String recording(Script script) {
        String version = script.version() == null ? "NULL" : "'" + script.version() + "'";
        return """
                INSERT INTO fencing.flyway_schema_history
                    (installed_rank, version, description, type, script, checksum, installed_by, execution_time, success)
                SELECT coalesce(max(installed_rank), 0) + 1, %s, '%s', 'SQL', '%s', %d, current_user, 0, true
                FROM fencing.flyway_schema_history
                HAVING (SELECT checksum FROM fencing.flyway_schema_history WHERE script = '%3$s' AND success
                        ORDER BY installed_rank DESC LIMIT 1) IS DISTINCT FROM %4$d;
                """.formatted(version, script.description(), script.file(), script.checksum());
    }
}
