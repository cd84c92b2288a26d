package io.github.fencedwrite.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The token column. */
class ProtectIT {

    private final TestDatabase database = TestDatabase.withFencing();

    @Test
    void isIdempotent() {
        database.run("CREATE TABLE item (id int PRIMARY KEY)");

        assertThat(database.ask("SELECT fencing.protect('item')"))
                .isEqualTo("public.item is protected, column last_token added");
        assertThat(database.ask("SELECT fencing.protect('public.item')"))
                .isEqualTo("public.item was protected before, column last_token");
    }

    @Test
    void understandsQuotedMixedCaseAndQualifiedNames() {
        database.run(
                "CREATE SCHEMA \"Shop Floor\"",
                "CREATE TABLE \"Shop Floor\".\"Item \"\"x\"\"\" (id int)",
                "SELECT fencing.protect('\"Shop Floor\".\"Item \"\"x\"\"\"', 'Sperr Marke')",
                "INSERT INTO \"Shop Floor\".\"Item \"\"x\"\"\" VALUES (1)");

        assertThat(database.ask("SELECT \"Sperr Marke\" FROM \"Shop Floor\".\"Item \"\"x\"\"\""))
                .isEqualTo("0");
    }

    @Test
    void findsTheTableOnTheCallersSearchPath() {
        database.run(
                "CREATE SCHEMA app",
                "CREATE TABLE app.item (id int)",
                "SET search_path = app",
                "SELECT fencing.protect('item')");

        assertThat(database.ask("SELECT last_token IS NULL FROM app.item UNION SELECT true"))
                .isEqualTo("t");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "null", textBlock = """
                    missing                 | WF101 | Create it
                    PUBLIC.THING            | WF101 | Is it 'public."Thing"'?
                    a.b.c.d                 | WF101 | Create it
                    ''                      | WF108 | Give the table
                    null                    | WF108 | Give the table
                    a_view                  | WF102 | tables below
                    a_materialized_view     | WF102 | tables below
                    a_sequence              | WF102 | ordinary or partitioned
                    part_1                  | WF102 | partitioned table
                    pg_catalog.pg_class     | WF102 | your application
                    fencing.fence           | WF102 | your application
                    wrong_type              | WF103 | another column
                    generated               | WF103 | another column
                    with_nulls              | WF104 | SET last_token = 0
                    """)
    void refusesWhatCannotHoldATokenAndSaysWhatToDo(String target, String state, String hint) {
        database.run("""
                CREATE TABLE "Thing" (id int);
                CREATE VIEW a_view AS SELECT 1 AS one;
                CREATE MATERIALIZED VIEW a_materialized_view AS SELECT 1 AS one;
                CREATE SEQUENCE a_sequence;
                CREATE TABLE parts (id int) PARTITION BY LIST (id);
                CREATE TABLE part_1 PARTITION OF parts FOR VALUES IN (1);
                CREATE TABLE wrong_type (last_token int);
                CREATE TABLE generated (last_token bigint GENERATED ALWAYS AS IDENTITY);
                CREATE TABLE with_nulls (last_token bigint);
                INSERT INTO with_nulls VALUES (NULL);
                """);
        String argument = target == null ? "NULL" : "'" + target + "'";

        SqlFailure failure =
                catchThrowableOfType(SqlFailure.class, () -> database.ask("SELECT fencing.protect(" + argument + ")"));

        assertThat(failure).as("refusal of %s", target).isNotNull();
        assertThat(failure.state()).as(failure.getMessage()).isEqualTo(state);
        assertThat(failure.hint()).contains(hint);
        assertThat(failure.detail()).startsWith("{\"target\"");
        assertThat(database.ask("SELECT count(*) FROM fencing.registry")).isEqualTo("0");
    }
}
