package io.github.fencedwrite.migrations;

import static io.github.fencedwrite.migrations.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each finding, produced by what causes it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InspectIT {

    private final TestDatabase database = TestDatabase.withFencing();

    @BeforeAll
    void createHelpers() {
        database.run(
                "CREATE TABLE parent (id int PRIMARY KEY)",
                "CREATE FUNCTION resets() RETURNS trigger LANGUAGE plpgsql AS"
                        + " 'BEGIN NEW.last_token := 0; RETURN NEW; END'",
                "CREATE FUNCTION keeps_old() RETURNS trigger LANGUAGE plpgsql AS"
                        + " 'BEGIN NEW := OLD; RETURN NEW; END'",
                "CREATE FUNCTION returns_old() RETURNS trigger LANGUAGE plpgsql AS"
                        + " 'BEGIN IF NEW.id IS NULL THEN RETURN OLD; END IF; RETURN NEW; END'",
                "CREATE FUNCTION harmless() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    guarded   |                                                                          |
                    monotonic |                                                                          |
                    strict    |                                                                          |
                    guarded   | ALTER TABLE t DROP COLUMN last_token                                     | error column_missing
                    guarded   | ALTER TABLE t ALTER last_token DROP DEFAULT, ALTER last_token TYPE text  | warning column_default, error column_type
                    guarded   | ALTER TABLE t ALTER last_token DROP NOT NULL                             | error column_nullable
                    guarded   | ALTER TABLE t ALTER last_token DROP NOT NULL; INSERT INTO t (id, last_token) VALUES (1, NULL) | error column_nullable, error column_nulls
                    guarded   | ALTER TABLE t ALTER last_token SET DEFAULT 7                             | warning column_default
                    guarded   | DELETE FROM fencing.registry WHERE relation = 't'::regclass              | warning not_registered
                    monotonic | ALTER TABLE t DISABLE TRIGGER USER                                       | error enforcement_damaged
                    strict    | DROP TRIGGER "~fencing_insert_last_token" ON t                           | error enforcement_damaged
                    guarded   | CREATE TRIGGER a BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION resets()    | warning trigger
                    monotonic | CREATE TRIGGER a BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION harmless()  |
                    monotonic | CREATE TRIGGER "~~" BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION harmless() | error trigger
                    guarded   | CREATE TRIGGER a BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION keeps_old()    | warning trigger
                    monotonic | CREATE TRIGGER a BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION returns_old()  | warning trigger
                    strict    | CREATE TRIGGER "~~" BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION harmless() | error trigger
                    strict    | ALTER TABLE t ALTER last_token DROP NOT NULL                             | error column_nullable
                    strict    | ALTER TABLE t RENAME COLUMN last_token TO other                          | error column_missing
                    strict    | ALTER TABLE t DROP COLUMN last_token CASCADE                             | error column_missing, error enforcement_damaged
                    strict    | DROP TRIGGER "~fencing_truncate_last_token" ON t                         | error truncate_open
                    strict    | DELETE FROM fencing.registry WHERE relation = 't'::regclass              | error triggers_left
                    strict    | ALTER TRIGGER "~fencing_update_last_token" ON t RENAME TO a              |
                    strict    | INSERT INTO fencing.registry (relation, token_column, table_name, column_added) VALUES ('t'::regclass, 'id', 't', false) | error two_columns
                    guarded   | CREATE RULE quiet AS ON DELETE TO t DO INSTEAD NOTHING                   | warning rule
                    guarded   | ALTER TABLE t ENABLE ROW LEVEL SECURITY                                  | info row_security
                    guarded   | CREATE INDEX ON t (last_token)                                           | warning index
                    guarded   | CREATE INDEX ON t (id) WHERE last_token > 0                              | warning index
                    guarded   | GRANT UPDATE (id) ON t TO ROLE                                           | error grant_missing
                    guarded   | GRANT INSERT, UPDATE ON t TO ROLE                                        | info grants
                    strict    | GRANT INSERT, UPDATE ON t TO ROLE                                        |
                    guarded   | CREATE VIEW v AS SELECT id FROM t                                        | info view
                    guarded   | CREATE VIEW v AS SELECT id, last_token FROM t                            |
                    guarded   | ALTER TABLE t ADD FOREIGN KEY (id) REFERENCES parent ON DELETE CASCADE   |
                    strict    | ALTER TABLE t ADD FOREIGN KEY (id) REFERENCES parent ON DELETE CASCADE   | warning cascade
                    """)
    void findsWhatIsWrong(String mode, String cause, String findings) {
        String role = cause != null && cause.contains("ROLE") ? Roles.plain(database) : "nobody";
        try (Session session = database.session()) {
            session.run("BEGIN", "CREATE TABLE t (id int PRIMARY KEY)", "SELECT fencing.protect('t')");
            if (!mode.equals("guarded")) {
                session.run("SELECT fencing.enforce('t', '" + mode + "')");
            }
            if (cause != null) {
                session.run(cause.replace("TO ROLE", "TO " + role));
            }

            assertThat(session.ask(
                            "SELECT string_agg(severity || ' ' || code, ', ' ORDER BY code) FROM fencing.inspect('t')"))
                    .isEqualTo(findings);
            assertThat(session.ask("SELECT count(*) FROM fencing.inspect('t') WHERE finding IS NULL OR fix IS NULL"))
                    .isEqualTo("0");
            session.run("ROLLBACK");
        }
    }

    @Test
    void findsAPartitionThatCanBeTruncatedUntilEnforcedAgain() {
        database.run(
                "CREATE TABLE log (id int PRIMARY KEY) PARTITION BY LIST (id)",
                "SELECT fencing.protect('log')",
                "SELECT fencing.enforce('log', 'strict')",
                "CREATE TABLE log_1 PARTITION OF log FOR VALUES IN (1)");
        assertThat(database.ask("SELECT code || ' ' || finding FROM fencing.inspect('log')"))
                .isEqualTo("truncate_open TRUNCATE of public.log_1 is not refused");

        database.run("SELECT fencing.enforce('log', 'strict')");

        assertThat(database.ask("SELECT count(*) FROM fencing.inspect('log')")).isEqualTo("0");
        refused("WF002", () -> database.run("TRUNCATE log_1"));
    }

    @Test
    void findsATriggerOfOnePartitionAlone() {
        database.run(
                "CREATE TABLE parted (id int PRIMARY KEY) PARTITION BY LIST (id)",
                "CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1)",
                "SELECT fencing.protect('parted')",
                "CREATE TRIGGER a BEFORE UPDATE ON parted_1 FOR EACH ROW EXECUTE FUNCTION resets()");

        assertThat(database.ask("SELECT finding FROM fencing.inspect('parted')"))
                .isEqualTo("trigger a of public.parted_1 (function public.resets) names the token column");
    }

    @Test
    void fixesThatAreStatementsWork() {
        database.run(
                "CREATE TABLE fixed (id int PRIMARY KEY)",
                "SELECT fencing.protect('fixed')",
                "SELECT fencing.enforce('fixed', 'strict')",
                "DROP TRIGGER \"~fencing_delete_last_token\" ON fixed",
                "ALTER TABLE fixed ALTER last_token DROP NOT NULL, ALTER last_token SET DEFAULT 5",
                "CREATE INDEX fixed_token ON fixed (last_token)");

        // one at a time, since one fix may need another
        for (int i = 0; i < 10; i++) {
            String fix = database.ask("SELECT fix FROM fencing.inspect('fixed') ORDER BY code LIMIT 1");
            if (fix == null) {
                break;
            }
            database.run(fix);
        }

        assertThat(database.ask("SELECT count(*) FROM fencing.inspect('fixed')"))
                .isEqualTo("0");
    }

    @Test
    void isOpenToPlainRoles() {
        database.run("CREATE TABLE open (id int PRIMARY KEY)", "SELECT fencing.protect('open')");
        try (Session session = database.sessionOf(Roles.plain(database))) {
            assertThat(session.ask("SELECT count(*) FROM fencing.inspect('public.open')"))
                    .isEqualTo("0");
            assertThat(session.ask("SELECT count(*) > 0 FROM fencing.protected_tables"))
                    .isEqualTo("t");
            SqlFailure failure = refused("WF106", () -> session.run("SELECT fencing.enforce('public.open', 'strict')"));
            assertThat(failure.hint()).contains("Run this as");
        }
    }

    @Test
    void saysWhichRightIsMissingToTheOwnerOfATable() {
        String role = Roles.plain(database);
        database.run("CREATE SCHEMA own AUTHORIZATION " + role);
        try (Session session = database.sessionOf(role)) {
            session.run("CREATE TABLE own.item (id int)");
            SqlFailure failure = refused("WF106", () -> session.run("SELECT fencing.protect('own.item')"));

            database.run(failure.hint().replaceFirst("^As the owner of that schema: ", ""));

            session.run("SELECT fencing.protect('own.item')", "SELECT fencing.enforce('own.item', 'strict')");
            refused("WF002", () -> session.run("INSERT INTO own.item VALUES (1)"));
        }
    }
}
