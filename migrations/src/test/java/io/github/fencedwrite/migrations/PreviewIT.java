package io.github.fencedwrite.migrations;

import static io.github.fencedwrite.migrations.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is shown beforehand changes nothing, and is what is run. */
@Tag("contract")
class PreviewIT {

    private final TestDatabase database = TestDatabase.withFencing();

    @ParameterizedTest
    @ValueSource(strings = {"item", "parted"})
    void isWhatTheFunctionsRun(String table) throws SQLException {
        database.run(
                "CREATE TABLE item (id int PRIMARY KEY)",
                "CREATE TABLE parted (id int PRIMARY KEY) PARTITION BY LIST (id)",
                "CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1)");
        for (String action : new String[] {"protect", "enforce", "relax", "unprotect"}) {
            boolean enforce = action.equals("enforce");
            String before = state();
            List<String> shown = lines("SELECT * FROM fencing.preview('%s', '%s'%s)"
                    .formatted(action, table, enforce ? ", mode => 'strict'" : ""));
            assertThat(state())
                    .as("nothing was changed by the preview of " + action)
                    .isEqualTo(before);

            String byHand;
            try (Session session = database.session()) {
                session.run("BEGIN");
                session.run(shown.toArray(String[]::new));
                byHand = session.ask(STATE);
                session.run("ROLLBACK");
            }
            database.run("SELECT fencing.%s('%s'%s)".formatted(action, table, enforce ? ", 'strict'" : ""));

            assertThat(byHand).as(action).isEqualTo(state()).isNotEqualTo(before);
        }
    }

    @Test
    void refusesWhatTheFunctionItselfRefuses() {
        database.run("CREATE TABLE item (id int PRIMARY KEY)");
        refused("WF107", () -> database.run("SELECT fencing.preview('relax', 'item')"));
        refused("WF107", () -> database.run("SELECT fencing.preview('enforce', 'item', mode => 'strict')"));
        refused("WF101", () -> database.run("SELECT fencing.preview('protect', 'missing')"));
        for (String wrong : new String[] {"'drop', 'item'", "'enforce', 'item'", "'relax', 'item', mode => 'strict'"}) {
            refused("WF108", () -> database.run("SELECT fencing.preview(" + wrong + ")"));
        }
    }

    private static final String STATE = """
            SELECT concat_ws(' ', (SELECT string_agg(concat_ws(' ', tgrelid::regclass, pg_get_triggerdef(oid), tgenabled), ';'
                ORDER BY tgrelid::regclass::text, tgname) FROM pg_trigger WHERE NOT tgisinternal),
              (SELECT string_agg(concat_ws(' ', attrelid::regclass, attname, attnotnull), ';' ORDER BY attrelid::regclass::text, attname)
                FROM pg_attribute JOIN pg_class AS c ON c.oid = attrelid
                WHERE relnamespace = 'public'::regnamespace AND NOT attisdropped))""";

    private String state() {
        return database.ask(STATE);
    }

    private List<String> lines(String sql) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (Session session = database.session();
                Statement statement = session.connection().createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                lines.add(rows.getString(1));
            }
        }
        return lines;
    }
}
