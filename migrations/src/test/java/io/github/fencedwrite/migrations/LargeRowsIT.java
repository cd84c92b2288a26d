package io.github.fencedwrite.migrations;

import static io.github.fencedwrite.migrations.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows that are large, or hold what cannot be converted: enforcement reads the token and the key of them, no more. */
@Tag("contract")
class LargeRowsIT {

    private static final String ANNOUNCE = "SELECT set_config('fencing.token', '35', true); ";

    private final TestDatabase database = TestDatabase.withFencing();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    last_token  | json  | '{"a": "<u0000>"}'
                    other_token | json  | '{"a": "<u0000>"}'
                    last_token  | json  | '1e400000'
                    other_token | json  | '1e400000'
                    """, quoteCharacter = '^')
    void holdWhatCannotBeConverted(String column, String type, String value) {
        String body = value.replace("<u0000>", "\\u0000");
        create(column, type, body);

        refused("WF002", () -> database.run("INSERT INTO document (id, body) VALUES (2, " + body + ")"));
        database.run(ANNOUNCE + "INSERT INTO document (id, body) VALUES (2, " + body + ")");
        refusesAndDeletes(column);
        assertThat(database.ask("SELECT string_agg(id || ' ' || " + column + ", ' ') FROM document"))
                .isEqualTo("2 35");
    }

    @Test
    void holdHundredsOfMegabytes() {
        create("last_token", "bytea", "repeat('x', 150000000)::bytea");
        refusesAndDeletes("last_token");
    }

    private void create(String column, String type, String body) {
        database.run(
                "CREATE UNLOGGED TABLE document (id int PRIMARY KEY, body " + type + ")",
                "ALTER TABLE document ALTER body SET STORAGE EXTERNAL",
                "SELECT fencing.protect('document', '" + column + "')",
                "INSERT INTO document VALUES (1, " + body + ", 34)",
                "SELECT fencing.enforce('document', 'strict', '" + column + "')");
    }

    private void refusesAndDeletes(String column) {
        SqlFailure stale = refused("WF001", () -> database.run("UPDATE document SET " + column + " = 33"));
        assertThat(stale.detail()).contains("\"key\": {\"id\": 1}").contains("\"stored\": 34");
        refused("WF002", () -> database.run("DELETE FROM document"));
        database.run(ANNOUNCE + "DELETE FROM document WHERE id = 1");
    }
}
