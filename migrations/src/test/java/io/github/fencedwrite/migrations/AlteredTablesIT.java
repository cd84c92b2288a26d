package io.github.fencedwrite.migrations;

import static io.github.fencedwrite.migrations.Refusals.failed;
import static io.github.fencedwrite.migrations.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What others do to a table that is enforced: nothing of it lets a stale write pass, and all of it is found. */
@Tag("contract")
class AlteredTablesIT {

    private final TestDatabase database = TestDatabase.withFencing();

    @BeforeEach
    void create() {
        database.run(
                "CREATE TABLE item (id int PRIMARY KEY, stock int)",
                "SELECT fencing.protect('item')",
                "INSERT INTO item VALUES (1, 10, 34), (2, 10, 0)");
    }

    @Test
    void strictNeedsASingleTokenColumn() {
        database.run("SELECT fencing.protect('item', 'other_token')", "SELECT fencing.enforce('item', 'monotonic')");
        database.run("SELECT fencing.enforce('item', 'monotonic', 'other_token')");

        SqlFailure failure = refused("WF113", () -> database.run("SELECT fencing.enforce('item', 'strict')"));
        assertThat(failure.hint()).contains("monotonic").contains("fence rows");
        assertThat(enforced()).isEqualTo("last_token monotonic, other_token monotonic");

        database.run("SELECT fencing.unprotect('item', 'other_token')", "SELECT fencing.enforce('item', 'strict')");
        refused("WF113", () -> database.run("SELECT fencing.protect('item', 'other_token')"));
    }

    @Test
    void strictNeedsASingleTokenColumnInChildrenToo() {
        database.run("CREATE TABLE special () INHERITS (item)", "SELECT fencing.protect('special', 'other_token')");

        refused("WF113", () -> database.run("SELECT fencing.enforce('item', 'strict')"));
        refused("WF113", () -> database.run("SELECT fencing.enforce('special', 'strict', 'other_token')"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"last_token", "Other Token"})
    void aRenamedColumnLetsNothingStalePass(String column) {
        String quoted = '"' + column + '"';
        database.run(
                "CREATE TABLE thing (id int PRIMARY KEY, stock int)",
                "SELECT fencing.protect('thing', '" + column + "')",
                "INSERT INTO thing VALUES (1, 10, 34)",
                "SELECT fencing.enforce('thing', 'strict', '" + column + "')",
                "ALTER TABLE thing RENAME COLUMN " + quoted + " TO marker");

        List<String> writes = List.of(
                "UPDATE thing SET marker = 33",
                "UPDATE thing SET stock = 0",
                "DELETE FROM thing",
                "INSERT INTO thing VALUES (2, 1)");
        for (String write : writes) {
            SqlFailure failure = refused("WF005", () -> database.run(write));
            assertThat(failure).hasMessageContaining("gone or renamed");
            for (int announced : new int[] {33, 34, 35}) {
                if (write.startsWith("DELETE") && announced == 34) {
                    continue; // the trigger's condition follows the rename, and the row carries this very token
                }
                // the function reads the column by its name, and says in PostgreSQL's words that it is not there
                failed(
                        "42703",
                        () -> database.run("SELECT set_config('fencing.token', '" + announced + "', true); " + write));
            }
        }
        database.run("UPDATE thing SET marker = 35");
        assertThat(database.ask("SELECT enforced FROM fencing.protected_tables WHERE table_name = 'thing'"))
                .isEqualTo("damaged");
        assertThat(refused("WF103", () -> database.run("SELECT fencing.enforce('thing', 'strict', '" + column + "')"))
                        .hint())
                .contains("RENAME COLUMN marker TO " + (column.equals("last_token") ? column : quoted));
        assertThatThrownBy(() -> FencingMigrations.on(database.dataSource()).verify())
                .hasMessageContaining("public.thing")
                .hasMessageContaining("damaged instead of strict");

        database.run(database.ask(
                "SELECT fix FROM fencing.inspect('thing', '" + column + "') WHERE code = 'column_missing'"));
        assertThat(database.ask("SELECT enforced FROM fencing.protected_tables WHERE table_name = 'thing'"))
                .isEqualTo("strict");
        database.run("ALTER TABLE thing RENAME COLUMN " + quoted + " TO marker");
        database.run("SELECT fencing.relax('thing', '" + column + "')", "UPDATE thing SET marker = 1");
        assertThat(database.ask("SELECT fencing.unprotect('thing', '" + column + "')"))
                .endsWith("was gone");
    }

    @ParameterizedTest
    @ValueSource(strings = {"monotonic", "strict"})
    void anotherColumnDoesNotTakeThePlaceOfARenamedOne(String mode) {
        String enforce = "SELECT fencing.enforce('item', '" + mode + "')";
        database.run(enforce, "ALTER TABLE item RENAME COLUMN last_token TO marker");
        for (String protect : new String[] {
            "SELECT fencing.protect('item')",
            "SELECT fencing.protect_all(ARRAY['item'])",
            "SELECT fencing.preview('protect', 'item')"
        }) {
            assertThat(refused("WF103", () -> database.run(protect)).hint())
                    .contains("ALTER TABLE public.item RENAME COLUMN marker TO last_token");
        }
        assertThat(codes("item")).containsOnly("column_missing");

        database.run("ALTER TABLE item ADD COLUMN last_token bigint NOT NULL DEFAULT 0");

        for (String call : new String[] {
            "SELECT fencing.protect('item')",
            enforce,
            "SELECT fencing.rebase('item', 5)",
            "SELECT fencing.preview('rebase', 'item')"
        }) {
            SqlFailure failure = refused("WF103", () -> database.run(call));
            assertThat(failure).hasMessageContaining("watch column marker, which was renamed");
            assertThat(failure.hint()).contains("RENAME COLUMN marker TO last_token");
        }
        assertThat(enforced()).isEqualTo("last_token damaged");
        assertThat(codes("item")).containsOnly("column_renamed");
        assertThatThrownBy(() -> FencingMigrations.on(database.dataSource()).verify())
                .hasMessageContaining("damaged instead of " + mode);

        database.run("ALTER TABLE item DROP COLUMN last_token", "ALTER TABLE item RENAME COLUMN marker TO last_token");
        assertThat(enforced()).isEqualTo("last_token " + mode);
        assertThat(codes("item")).isEmpty();
        refused("WF001", () -> database.run("UPDATE item SET last_token = 33 WHERE id = 1"));
    }

    @Test
    void nullIsRefusedOnEitherSide() {
        for (String mode : new String[] {"monotonic", "strict"}) {
            database.run(
                    "SELECT fencing.enforce('item', '" + mode + "')",
                    "ALTER TABLE item ALTER last_token DROP NOT NULL");
            refused("WF005", () -> database.run("UPDATE item SET last_token = NULL WHERE id = 1"));
            database.run("SET session_replication_role = replica; UPDATE item SET last_token = NULL WHERE id = 1;"
                    + " SET session_replication_role = origin");

            refused("WF005", () -> database.run("UPDATE item SET last_token = 1 WHERE id = 1"));
            refused(
                    "WF005",
                    () -> database.run(
                            "SELECT set_config('fencing.token', '99', true); UPDATE item SET stock = 1 WHERE id = 1"));
            if (mode.equals("strict")) {
                refused(
                        "WF005",
                        () -> database.run("SELECT set_config('fencing.token', '99', true); DELETE FROM item"));
            }
            assertThat(enforced()).isEqualTo("last_token damaged");
            assertThat(codes("item")).contains("column_nullable", "column_nulls");
            database.run(
                    "SELECT fencing.relax('item')",
                    "UPDATE item SET last_token = 34 WHERE last_token IS NULL",
                    "SELECT fencing.protect('item')");
        }
    }

    @Test
    void noSettingLetsATokenBeLowered() {
        database.run("SELECT fencing.enforce('item', 'strict')");
        for (String value : new String[] {"on", "true", "1", "item"}) {
            refused(
                    "WF001",
                    () -> database.run("SELECT set_config('fencing.rebase', '" + value
                            + "', true); UPDATE item SET last_token = 1 WHERE id = 1"));
        }
    }

    @Test
    void aRebaseThatFailsLeavesTheTriggersOn() {
        database.run(
                "SELECT fencing.enforce('item', 'strict')", "ALTER TABLE item ADD CHECK (last_token NOT IN (5, 6))");
        for (String rebase : new String[] {"SELECT fencing.rebase('item', 5)", "SELECT fencing.rebase('item', 6)"}) {
            failed("23514", () -> database.run(rebase));
            assertThat(enforced()).isEqualTo("last_token strict");
        }
        database.run("SELECT fencing.rebase('item', 7)");
        assertThat(enforced()).isEqualTo("last_token strict");
        refused("WF001", () -> database.run("UPDATE item SET last_token = 6 WHERE id = 1"));
    }

    @Test
    void aTriggerThatIsDisabledOnOnePartitionIsFound() {
        createLog();
        database.run("ALTER TABLE log_1 DISABLE TRIGGER USER");

        assertThat(enforced("log")).isEqualTo("damaged");
        assertThat(database.ask("SELECT finding FROM fencing.inspect('log')"))
                .isEqualTo("mode strict was asked for, the triggers of public.log_1 amount to damaged");
        assertThatThrownBy(() -> FencingMigrations.on(database.dataSource()).verify())
                .hasMessageContaining("public.log");

        database.run(database.ask("SELECT fix FROM fencing.inspect('log')"));
        assertThat(codes("log")).isEmpty();
        refused("WF002", () -> database.run("DELETE FROM log_1"));
    }

    @Test
    void aChildThatCameLaterIsFound() {
        database.run("SELECT fencing.enforce('item', 'strict')", "CREATE TABLE special () INHERITS (item)");

        assertThat(enforced()).isEqualTo("last_token damaged");
        assertThat(codes("item")).containsOnly("enforcement_damaged");
        database.run("SELECT fencing.enforce('item', 'strict')");
        assertThat(codes("item")).isEmpty();
        refused("WF002", () -> database.run("INSERT INTO special VALUES (3, 1)"));
    }

    @Test
    void aPartitionThatIsDetachedCanBeRelaxed() {
        createLog();
        database.run("ALTER TABLE log DETACH PARTITION log_1");

        assertThat(codes("log_1")).containsOnly("triggers_left");
        database.run(database.ask("SELECT fix FROM fencing.inspect('log_1')"), "TRUNCATE log_1");
        assertThat(codes("log_1")).containsOnly("not_registered");
        refused("WF107", () -> database.run("SELECT fencing.relax('log_1')"));
    }

    @Test
    void anEnforcedTableCanBeAttached() {
        createLog();
        database.run(
                "CREATE TABLE log_2 (id int PRIMARY KEY)",
                "SELECT fencing.protect('log_2')",
                "SELECT fencing.enforce('log_2', 'strict')",
                "ALTER TABLE log ATTACH PARTITION log_2 FOR VALUES IN (2)");

        refused("WF002", () -> database.run("INSERT INTO log VALUES (2)"));
        database.run("SELECT set_config('fencing.token', '40', true); INSERT INTO log VALUES (2)");
        database.run("SELECT fencing.enforce('log', 'strict')");
        assertThat(database.ask("SELECT string_agg(table_name || ' ' || enforced, ' ') FROM fencing.protected_tables"
                        + " WHERE table_name LIKE 'log%'"))
                .isEqualTo("log strict");
        assertThat(database.ask("SELECT count(*) FROM pg_trigger WHERE tgrelid = 'log_2'::regclass"))
                .isEqualTo("4");
        assertThat(codes("log")).isEmpty();
        refused("WF002", () -> database.run("TRUNCATE log_2"));
    }

    @Test
    void aTableThatHasTakenTheNameOfAProtectedOneIsFound() {
        database.run(
                "SELECT fencing.enforce('item', 'strict')",
                "CREATE TABLE item_new (LIKE item INCLUDING ALL)",
                "ALTER TABLE item RENAME TO item_old",
                "ALTER TABLE item_new RENAME TO item");

        assertThat(database.ask("SELECT table_name || ' ' || enforced FROM fencing.protected_tables"))
                .isEqualTo("item_old replaced");
        assertThat(codes("item")).contains("replaced");
        assertThat(codes("item_old")).contains("replaced");
        assertThatThrownBy(() -> FencingMigrations.on(database.dataSource()).verify())
                .hasMessageContaining("item_old")
                .hasMessageContaining("replaced instead of strict");

        database.run(
                "SELECT fencing.protect('item')",
                "SELECT fencing.enforce('item', 'strict')",
                "SELECT fencing.unprotect('item_old')");
        assertThat(enforced()).isEqualTo("last_token strict");
        FencingMigrations.on(database.dataSource()).verify();
    }

    private void createLog() {
        database.run(
                "CREATE TABLE log (id int PRIMARY KEY) PARTITION BY LIST (id)",
                "CREATE TABLE log_1 PARTITION OF log FOR VALUES IN (1)",
                "SELECT fencing.protect('log')",
                "INSERT INTO log VALUES (1, 34)",
                "SELECT fencing.enforce('log', 'strict')");
    }

    private List<String> codes(String table) {
        String codes = database.ask("SELECT string_agg(DISTINCT code, ' ') FROM fencing.inspect('" + table + "')");
        return codes == null ? List.of() : List.of(codes.split(" "));
    }

    private String enforced() {
        return database.ask("SELECT string_agg(token_column || ' ' || enforced, ', ' ORDER BY token_column)"
                + " FROM fencing.protected_tables WHERE table_name = 'item'");
    }

    private String enforced(String table) {
        return database.ask("SELECT enforced FROM fencing.protected_tables WHERE table_name = '" + table + "'");
    }
}
