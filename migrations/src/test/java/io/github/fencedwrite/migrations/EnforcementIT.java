package io.github.fencedwrite.migrations;

import static io.github.fencedwrite.migrations.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What enforcement means beside single statements: modes, rebase, cascades, moves between partitions, other ways in. */
class EnforcementIT {

    private final TestDatabase database = TestDatabase.withFencing();

    @BeforeEach
    void create() {
        database.run(
                "CREATE TABLE item (id int PRIMARY KEY, stock int)",
                "SELECT fencing.protect('item')",
                "INSERT INTO item VALUES (1, 10, 34), (2, 10, 0)");
    }

    @Test
    void goesFromEachModeToEachOther() {
        for (String step : List.of(
                "monotonic", "strict", "monotonic", "relax", "strict", "relax", "monotonic", "relax", "relax")) {
            database.run(
                    step.equals("relax")
                            ? "SELECT fencing.relax('item')"
                            : "SELECT fencing.enforce('item', '" + step + "')");
            String mode = step.equals("relax") ? "guarded" : step;
            assertThat(database.ask("SELECT mode || ' ' || enforced FROM fencing.protected_tables"))
                    .isEqualTo(mode + " " + mode);
            assertThat(database.ask("SELECT count(*) FROM pg_trigger WHERE tgrelid = 'item'::regclass"))
                    .isEqualTo(
                            switch (mode) {
                                case "strict" -> "4";
                                case "monotonic" -> "1";
                                default -> "0";
                            });
        }
    }

    @Test
    void rebaseLowersTokensUnderEnforcementAndLeavesALineInTheAudit() {
        database.run(
                "UPDATE item SET last_token = 9000000000000000000 WHERE id = 2",
                "SELECT fencing.enforce('item', 'strict')");

        assertThat(database.ask("SELECT fencing.rebase('item', 40)")).isEqualTo("1");

        assertThat(database.ask("SELECT string_agg(last_token::text, ' ' ORDER BY id) FROM item"))
                .isEqualTo("34 40");
        assertThat(database.ask("SELECT concat_ws(' ', target, detail ->> 'token', detail ->> 'greatest_before',"
                        + " detail ->> 'rows', by_role = session_user) FROM fencing.audit WHERE action = 'rebase'"))
                .isEqualTo("public.item 40 9000000000000000000 1 t");
        // and it opens nothing beyond its own statement
        try (Session session = database.session()) {
            session.run("BEGIN", "SELECT fencing.rebase('item', 40)");
            refused("WF001", () -> session.run("UPDATE item SET last_token = 1 WHERE id = 2"));
        }
    }

    @Test
    void rebaseLetsTheHolderOfALockedRowFinish() {
        database.run("SELECT fencing.enforce('item', 'monotonic')");
        try (Session holder = database.session()) {
            holder.run("BEGIN", "SELECT FROM item WHERE id = 1 FOR UPDATE");

            refused(
                    "WF105",
                    () -> database.run(
                            "SET statement_timeout = '20s'",
                            "SELECT fencing.rebase('item', 10, patience => '0.5 seconds')"));

            holder.run("UPDATE item SET last_token = 50 WHERE id = 1", "COMMIT");
        }
        assertThat(database.ask("SELECT fencing.rebase('item', 10)")).isEqualTo("1");
        assertThat(database.ask("SELECT string_agg(line, '; ') FROM fencing.preview('rebase', 'item') AS p (line)"))
                .startsWith(
                        "LOCK TABLE ONLY public.item IN EXCLUSIVE MODE; SET CONSTRAINTS ALL IMMEDIATE; ALTER TABLE");
    }

    @Test
    void rebaseRefusesWherePoliciesMayHideRowsFromTheOwner() {
        String owner = Roles.plain(database);
        database.run(
                "CREATE SCHEMA app AUTHORIZATION " + owner, "SELECT fencing.grant_access('" + owner + "', 'migrator')");
        try (Session session = database.sessionOf(owner)) {
            session.run(
                    "CREATE TABLE app.item (id int PRIMARY KEY)",
                    "SELECT fencing.protect('app.item')",
                    "INSERT INTO app.item VALUES (1, 90), (2, 90)",
                    "SELECT fencing.enforce('app.item', 'monotonic')",
                    "CREATE POLICY one_row ON app.item USING (id = 1)",
                    "ALTER TABLE app.item ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY");
            for (String call : new String[] {
                "SELECT fencing.rebase('app.item', 10)", "SELECT fencing.preview('rebase', 'app.item')"
            }) {
                assertThat(refused("WF106", () -> session.run(call)).hint())
                        .startsWith("ALTER TABLE app.item NO FORCE ROW LEVEL SECURITY");
            }

            session.run("ALTER TABLE app.item NO FORCE ROW LEVEL SECURITY");
            assertThat(session.ask("SELECT fencing.rebase('app.item', 10)")).isEqualTo("2");
        }
    }

    @Test
    void rebaseRunsDeferredTriggersBeforeItSwitchesOurs() {
        database.run(
                "CREATE FUNCTION looks() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
                "CREATE CONSTRAINT TRIGGER looks AFTER UPDATE ON item DEFERRABLE INITIALLY DEFERRED"
                        + " FOR EACH ROW EXECUTE FUNCTION looks()",
                "SELECT fencing.enforce('item', 'monotonic')");
        try (Session session = database.session()) {
            session.run("BEGIN", "UPDATE item SET last_token = 50 WHERE id = 1");
            assertThat(session.ask("SELECT fencing.rebase('item', 10)")).isEqualTo("1");
            session.run("COMMIT");
        }
        assertThat(database.ask("SELECT last_token FROM item WHERE id = 1")).isEqualTo("10");
        refused("WF001", () -> database.run("UPDATE item SET last_token = 9 WHERE id = 1"));
    }

    @Test
    void cascadesNeedAnAnnouncedToken() {
        database.run(
                "CREATE TABLE line (item int REFERENCES item ON DELETE CASCADE, n int)",
                "SELECT fencing.protect('line')",
                "INSERT INTO line VALUES (1, 1)",
                "SELECT fencing.enforce('line', 'strict')");

        refused("WF002", () -> database.run("DELETE FROM item WHERE id = 1"));
        database.run("SELECT set_config('fencing.token', '40', true); DELETE FROM item WHERE id = 1");

        assertThat(database.ask("SELECT count(*) FROM line")).isEqualTo("0");
    }

    @Test
    void movesBetweenPartitionsNeedAnAnnouncedToken() {
        database.run(
                "CREATE TABLE log (id int, part int, PRIMARY KEY (id, part)) PARTITION BY LIST (part)",
                "CREATE TABLE log_1 PARTITION OF log FOR VALUES IN (1)",
                "CREATE TABLE log_2 PARTITION OF log FOR VALUES IN (2)",
                "SELECT fencing.protect('log')",
                "INSERT INTO log VALUES (1, 1)",
                "SELECT fencing.enforce('log', 'strict')");

        refused("WF002", () -> database.run("UPDATE log SET part = 2, last_token = 5 WHERE id = 1"));
        database.run(
                "UPDATE log SET part = 2, last_token = set_config('fencing.token', '5', true)::bigint WHERE id = 1");

        assertThat(database.ask("SELECT part || ' ' || last_token FROM log")).isEqualTo("2 5");
    }

    @Test
    void tableInheritanceIsCovered() {
        database.run(
                "CREATE TABLE special (extra text) INHERITS (item)",
                "INSERT INTO special VALUES (3, 1, 34)",
                "SELECT fencing.enforce('item', 'strict')");

        refused("WF001", () -> database.run("UPDATE item SET last_token = 33 WHERE id = 3"));
        refused("WF002", () -> database.run("DELETE FROM special"));
        refused("WF002", () -> database.run("TRUNCATE special"));
        database.run("SELECT fencing.relax('item')", "DELETE FROM special");
    }

    @Test
    void copyIsAnInsert() {
        database.run("SELECT fencing.enforce('item', 'strict')");

        refused(
                "WF002",
                () -> database.run("CREATE TEMP TABLE source AS SELECT 7 AS id; INSERT INTO item (id) TABLE source"));
        refused("WF002", () -> database.run("COPY item (id) FROM PROGRAM 'echo 7'"));
        database.run("SELECT set_config('fencing.token', '40', true); COPY item (id) FROM PROGRAM 'echo 7'");

        assertThat(database.ask("SELECT last_token FROM item WHERE id = 7")).isEqualTo("40");
    }

    @Test
    void mergeAndUpsertMeetTheSameRules() {
        database.run("SELECT fencing.enforce('item', 'strict')");
        String upsert =
                "INSERT INTO item (id, stock) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET stock = EXCLUDED.stock";

        refused("WF002", () -> database.run(upsert));
        try (Session session = database.session()) {
            session.run("BEGIN", "SELECT fencing.enter('item:1', 40)", upsert, "COMMIT");
        }

        assertThat(database.ask("SELECT stock || ' ' || last_token FROM item WHERE id = 1"))
                .isEqualTo("1 40");
    }

    @Test
    void doesNotSeeWhatRunsAsAReplica() {
        database.run(
                "SELECT fencing.enforce('item', 'strict')",
                "SET session_replication_role = replica; UPDATE item SET last_token = 1 WHERE id = 1");

        assertThat(database.ask("SELECT last_token FROM item WHERE id = 1")).isEqualTo("1");
    }

    @Test
    void savepointsTakeTheAnnouncementBack() {
        database.run("SELECT fencing.enforce('item', 'strict')");
        try (Session session = database.session()) {
            session.run("BEGIN", "SAVEPOINT s", "SELECT fencing.enter('item:1', 40)", "ROLLBACK TO s");
            refused("WF002", () -> session.run("UPDATE item SET stock = 0 WHERE id = 1"));
        }
    }

    @Test
    void refusesWithoutAnyRightOnTheSchema() {
        String role = Roles.plain(database);
        database.run(
                "SELECT fencing.enforce('item', 'strict')",
                "GRANT ALL ON item TO " + role,
                "REVOKE USAGE ON SCHEMA fencing FROM PUBLIC");
        try (Session session = database.sessionOf(role)) {
            SqlFailure failure = refused("WF002", () -> session.run("DELETE FROM item WHERE id = 1"));
            assertThat(failure.detail()).contains("\"key\": {\"id\": 1}");
            session.run(
                    "BEGIN", "SELECT set_config('fencing.token', '40', true)", "UPDATE item SET stock = 1", "COMMIT");
        }
        assertThat(database.ask("SELECT count(*) FROM item WHERE last_token = 40"))
                .isEqualTo("2");
    }

    @Test
    void survivesARenameOfTheTable() {
        database.run("SELECT fencing.enforce('item', 'monotonic')", "ALTER TABLE item RENAME TO article");

        assertThat(database.ask("SELECT table_name || ' ' || enforced FROM fencing.protected_tables"))
                .isEqualTo("article monotonic");
        SqlFailure failure = refused("WF001", () -> database.run("UPDATE article SET last_token = 1 WHERE id = 1"));
        assertThat(failure.detail()).contains("public.article");
    }
}
