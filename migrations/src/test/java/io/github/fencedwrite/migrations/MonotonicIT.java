package io.github.fencedwrite.migrations;

import static io.github.fencedwrite.migrations.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What monotonic enforcement refuses, and what it lets pass. */
class MonotonicIT {

    private final TestDatabase database = TestDatabase.withFencing();

    @BeforeEach
    void enforce() {
        database.run(
                "CREATE TABLE item (id int PRIMARY KEY, stock int)",
                "SELECT fencing.protect('item')",
                "INSERT INTO item VALUES (1, 10, 34), (2, 10, 0)",
                "SELECT fencing.enforce('item', 'monotonic')");
    }

    @Test
    void refusesUpdateWithOlderTokenAndTellsTableKeyAndBothTokens() {
        SqlFailure failure =
                refused("WF001", () -> database.run("UPDATE item SET stock = 0, last_token = 33 WHERE id = 1"));

        assertThat(failure)
                .hasMessageContaining("UPDATE of public.item {\"id\": 1} refused: token 33 is older than 34");
        assertThat(database.ask("SELECT ('" + failure.detail() + "')::jsonb = '{\"table\": \"public.item\","
                        + " \"column\": \"last_token\", \"operation\": \"UPDATE\", \"mode\": \"monotonic\","
                        + " \"presented\": 33, \"stored\": 34, \"key\": {\"id\": 1}}'::jsonb"))
                .isEqualTo("t");
        assertThat(database.ask("SELECT stock FROM item WHERE id = 1")).isEqualTo("10");
    }

    @Test
    void letsEqualAndNewerTokensAndWritesWithoutTokenPass() {
        database.run(
                "UPDATE item SET stock = 9, last_token = 34 WHERE id = 1",
                "UPDATE item SET stock = 8, last_token = 35 WHERE id = 1",
                "UPDATE item SET stock = 7 WHERE id = 1",
                "INSERT INTO item VALUES (3, 1, 5)",
                "DELETE FROM item WHERE id = 2");

        assertThat(database.ask(
                        "SELECT string_agg(format('%s:%s:%s', id, stock, last_token), ' ' ORDER BY id) FROM item"))
                .isEqualTo("1:7:35 3:1:5");
    }

    @Test
    void seesWhatAnotherTriggerDoesToTheToken() {
        database.run(
                "CREATE FUNCTION reset() RETURNS trigger LANGUAGE plpgsql AS"
                        + " 'BEGIN NEW.last_token := 1; RETURN NEW; END'",
                "CREATE TRIGGER zzzz_reset BEFORE UPDATE ON item FOR EACH ROW EXECUTE FUNCTION reset()");

        refused("WF001", () -> database.run("UPDATE item SET stock = 0, last_token = 40 WHERE id = 1"));
    }

    @Test
    void isSwitchedOffByRelaxAndOnAgain() {
        database.run("SELECT fencing.relax('item')", "UPDATE item SET last_token = 30 WHERE id = 1");
        assertThat(database.ask("SELECT mode || ' ' || enforced FROM fencing.protected_tables"))
                .isEqualTo("guarded guarded");

        database.run("SELECT fencing.enforce('item', 'monotonic')", "SELECT fencing.enforce('item', 'monotonic')");
        refused("WF001", () -> database.run("UPDATE item SET last_token = 29 WHERE id = 1"));
    }
}
