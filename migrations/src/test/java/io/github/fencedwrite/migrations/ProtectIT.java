package io.github.fencedwrite.migrations;

import static io.github.fencedwrite.migrations.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The token column: added, taken over, refused, dropped. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("contract")
class ProtectIT {

    private final TestDatabase database = TestDatabase.withFencing();

    @BeforeAll
    void createWhatCannotBeProtected() {
        database.run("""
                CREATE TABLE "Thing" (id int);
                CREATE TABLE guarded (id int);
                SELECT fencing.protect('guarded');
                SELECT fencing.enter('order:1', 1);
                CREATE VIEW a_view AS SELECT 1 AS one;
                CREATE MATERIALIZED VIEW a_materialized_view AS SELECT 1 AS one;
                CREATE SEQUENCE a_sequence;
                CREATE FOREIGN DATA WRAPPER elsewhere;
                CREATE SERVER elsewhere FOREIGN DATA WRAPPER elsewhere;
                CREATE FOREIGN TABLE a_foreign_table (id int) SERVER elsewhere;
                CREATE TABLE parts (id int) PARTITION BY LIST (id);
                CREATE TABLE part_1 PARTITION OF parts FOR VALUES IN (1);
                CREATE TABLE wrong_type (last_token int);
                CREATE TABLE generated (last_token bigint GENERATED ALWAYS AS IDENTITY);
                CREATE TABLE with_nulls (last_token bigint);
                INSERT INTO with_nulls VALUES (NULL);
                """);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "null", textBlock = """
                    missing                 | WF101 | Create it
                    PUBLIC.THING            | WF101 | Is it 'public."Thing"'?
                    a.b.c.d                 | WF101 | Create it
                    "unbalanced             | WF101 | Create it
                    ''                      | WF108 | Give the table
                    null                    | WF108 | Give the table
                    a_view                  | WF102 | tables below
                    a_materialized_view     | WF102 | tables below
                    a_foreign_table         | WF102 | where it lives
                    a_sequence              | WF102 | ordinary or partitioned
                    part_1                  | WF102 | partitioned table
                    pg_catalog.pg_class     | WF102 | your application
                    fencing.fence           | WF102 | your application
                    wrong_type              | WF103 | another column
                    generated               | WF103 | another column
                    with_nulls              | WF104 | SET last_token = 0
                    """)
    void refusesWhatCannotHoldATokenAndSaysWhatToDo(String target, String state, String hint) {
        String argument = target == null ? "NULL" : "'" + target + "'";
        String before = state();

        SqlFailure failure = refused(state, () -> database.ask("SELECT fencing.protect(" + argument + ")"));

        assertThat(failure.hint()).contains(hint);
        assertThat(failure.detail()).startsWith("{\"target\"");
        assertThat(state()).as("the database is as it was").isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "enforce(%s, 'strict')",
                "relax(%s)",
                "unprotect(%s)",
                "rebase(%s, 1)",
                "inspect(%s)",
                "protect_all(ARRAY['\"Thing\"', %s])"
            })
    void everyFunctionRefusesSuchTables(String call) {
        String before = state();

        refused("WF101", () -> database.ask("SELECT fencing." + call.formatted("'missing'")));
        for (String target : new String[] {"a_view", "a_foreign_table", "part_1", "pg_catalog.pg_class"}) {
            refused("WF102", () -> database.ask("SELECT fencing." + call.formatted("'" + target + "'")));
        }
        assertThat(state()).as("the database is as it was").isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "protect('public.\"Thing\"')",
                "enforce('public.guarded', 'strict')",
                "relax('public.guarded')",
                "unprotect('public.guarded')",
                "rebase('public.guarded', 1)",
                "rebase_resource('order:1', 1)",
                "rebase_floor(0)",
                "cleanup()",
                "grant_access(current_user)"
            })
    void refusesRolesWithoutTheRightAndSaysWhoHasIt(String call) {
        String before = state();
        try (Session session = database.sessionOf(Roles.plain(database))) {
            SqlFailure failure = refused("WF106", () -> session.ask("SELECT fencing." + call));

            assertThat(failure.hint()).containsAnyOf("Run this as", "As the owner of that schema");
        }
        assertThat(state()).as("the database is as it was").isEqualTo(before);
    }

    /** Columns, defaults and triggers of all tables, and all that fencing knows. */
    private String state() {
        return database.ask("""
                SELECT md5(string_agg(line, '|' ORDER BY line)) FROM (
                    SELECT concat_ws(' ', attrelid::regclass, attname, atttypid, attnotnull, atthasdef)
                    FROM pg_attribute WHERE attnum > 0
                    UNION ALL SELECT concat_ws(' ', tgrelid::regclass, tgname, tgenabled) FROM pg_trigger
                    UNION ALL SELECT to_jsonb(r)::text FROM fencing.registry AS r
                    UNION ALL SELECT to_jsonb(a)::text FROM fencing.audit AS a
                    UNION ALL SELECT to_jsonb(f)::text FROM fencing.fence AS f
                    UNION ALL SELECT to_jsonb(f)::text FROM fencing.fence_floor AS f) AS lines (line)""");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    fencing.protect('"Thing"', NULL)
                    fencing.protect('"Thing"', '')
                    fencing.protect('"Thing"', 'xmin')
                    fencing.protect('"Thing"', repeat('x', 64))
                    fencing.protect('"Thing"', 'last_token', NULL)
                    fencing.protect('"Thing"', 'last_token', '-1 second')
                    fencing.enforce('guarded', 'lenient')
                    fencing.enforce('guarded', NULL)
                    fencing.rebase('guarded', -1)
                    fencing.rebase('guarded', NULL)
                    fencing.rebase_resource('x', -1)
                    fencing.rebase_floor(NULL)
                    fencing.enter(NULL, 1)
                    fencing.enter('', 1)
                    fencing.enter(repeat('x', 1025), 1)
                    fencing.enter('x', NULL)
                    fencing.enter('x', 0)
                    fencing.enter('x', -1)
                    fencing.cleanup('1 minute')
                    fencing.cleanup(NULL)
                    fencing.grant_access('nobody_of_that_name')
                    fencing.grant_access(current_user, 'everything')
                    """)
    void refusesArgumentsOutOfRange(String call) {
        refused("WF108", () -> database.ask("SELECT " + call));
    }

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
                "CREATE TABLE app.found (id int)",
                "SET search_path = app",
                "SELECT fencing.protect('found')");

        assertThat(database.ask("SELECT schema_name FROM fencing.protected_tables WHERE table_name = 'found'"))
                .isEqualTo("app");
    }

    @Test
    void protectsPartitionedTablesWithAllPartitionsNowAndLater() {
        database.run(
                "CREATE TABLE log (id int) PARTITION BY LIST (id)",
                "CREATE TABLE log_1 PARTITION OF log FOR VALUES IN (1)",
                "SELECT fencing.protect('log')",
                "CREATE TABLE log_2 PARTITION OF log FOR VALUES IN (2)",
                "INSERT INTO log VALUES (1), (2)");

        assertThat(database.ask("SELECT count(*) FROM log WHERE last_token = 0"))
                .isEqualTo("2");
    }

    @Test
    void keepsOneColumnForEachLock() {
        database.run(
                "CREATE TABLE twice (id int)",
                "SELECT fencing.protect('twice')",
                "SELECT fencing.protect('twice', 'warehouse_token')");

        assertThat(database.ask("SELECT string_agg(token_column, ' ' ORDER BY token_column)"
                        + " FROM fencing.protected_tables WHERE table_name = 'twice'"))
                .isEqualTo("last_token warehouse_token");
    }

    @Test
    void takesOverAColumnThatFitsAndLeavesItBehind() {
        database.run(
                "CREATE TABLE taken (id int, last_token bigint)",
                "INSERT INTO taken VALUES (1, 7)",
                "SELECT fencing.protect('taken')",
                "INSERT INTO taken (id) VALUES (2)");
        assertThat(database.ask("SELECT string_agg(last_token::text, ' ' ORDER BY id) FROM taken"))
                .isEqualTo("7 0");

        assertThat(database.ask("SELECT fencing.unprotect('taken')"))
                .isEqualTo("public.taken is not protected any more, column last_token stays as it is now, with NOT NULL"
                        + " and DEFAULT 0");
        assertThat(database.ask("SELECT sum(last_token) FROM taken")).isEqualTo("7");
    }

    @Test
    void asksForAProofInsteadOfReadingALargeTableUnderLock() {
        database.run(
                "CREATE TABLE large (id int, filler text, last_token bigint)",
                "ALTER TABLE large ALTER filler SET STORAGE PLAIN",
                "INSERT INTO large SELECT n, repeat('x', 6000), 0 FROM generate_series(1, 3000) AS n");

        SqlFailure failure = refused("WF104", () -> database.run("SELECT fencing.protect('large')"));
        String[] steps = failure.hint()
                .replaceFirst("^Each in a transaction of its own: ", "")
                .split("; ");
        database.run(steps[0], steps[1], "SELECT fencing.protect('large')");

        assertThat(database.ask("SELECT count(*) FROM fencing.inspect('large')"))
                .isEqualTo("0");
    }

    @Test
    void unprotectTakesEverythingBack() {
        database.run("CREATE TABLE back (id int)");
        String before = database.ask("SELECT md5(string_agg(attname || attnum, ',' ORDER BY attnum)) FROM pg_attribute"
                + " WHERE attrelid = 'back'::regclass AND NOT attisdropped");
        database.run(
                "SELECT fencing.protect('back')",
                "SELECT fencing.enforce('back', 'strict')",
                "SELECT fencing.unprotect('back')");

        assertThat(database.ask("SELECT md5(string_agg(attname || attnum, ',' ORDER BY attnum)) FROM pg_attribute"
                        + " WHERE attrelid = 'back'::regclass AND NOT attisdropped"))
                .isEqualTo(before);
        assertThat(database.ask("SELECT count(*) FROM pg_trigger WHERE tgrelid = 'back'::regclass"))
                .isEqualTo("0");
        refused("WF107", () -> database.run("SELECT fencing.unprotect('back')"));
        refused("WF107", () -> database.run("SELECT fencing.relax('back')"));
        refused("WF107", () -> database.run("SELECT fencing.enforce('back', 'strict')"));
        refused("WF107", () -> database.run("SELECT fencing.rebase('back', 1)"));
    }

    @Test
    void unprotectRefusesWhileAViewUsesTheColumn() {
        database.run(
                "CREATE TABLE viewed (id int)",
                "SELECT fencing.protect('viewed')",
                "CREATE VIEW shows_token AS SELECT last_token FROM viewed");

        SqlFailure failure = refused("WF109", () -> database.run("SELECT fencing.unprotect('viewed')"));

        assertThat(failure.detail()).contains("shows_token");
    }

    @Test
    void forgetsTablesThatWereDropped() {
        database.run(
                "CREATE TABLE short_lived (id int)",
                "SELECT fencing.protect('short_lived')",
                "DROP TABLE short_lived",
                "CREATE TABLE next (id int)",
                "SELECT fencing.protect('next')");

        assertThat(database.ask(
                        "SELECT count(*) FROM fencing.registry AS r LEFT JOIN pg_class AS c ON c.oid = r.relation"
                                + " WHERE c.oid IS NULL"))
                .isEqualTo("0");
    }
}
