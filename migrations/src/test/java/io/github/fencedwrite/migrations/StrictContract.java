package io.github.fencedwrite.migrations;

import static io.github.fencedwrite.migrations.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What strict enforcement refuses, accepts and stamps, statement by statement, on a plain and on a partitioned table.
 * {@code T} stands for the token column.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StrictContract {

    private final TestDatabase database = TestDatabase.withFencing();
    private final String column;
    private Session session;

    StrictContract(String column) {
        this.column = column;
    }

    @BeforeAll
    void enforce() {
        for (String table : new String[] {"item", "parts"}) {
            database.run(
                    "CREATE TABLE " + table
                            + " (id int PRIMARY KEY, stock int, shout text GENERATED ALWAYS AS (stock || '!')"
                            + " STORED)" + (table.equals("parts") ? " PARTITION BY RANGE (id)" : ""),
                    table.equals("parts")
                            ? "CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (100)"
                            : "SELECT",
                    "SELECT fencing.protect('" + table + "', '" + column + "')",
                    named("INSERT INTO " + table + " (id, stock, T) VALUES (1, 10, 34), (2, 10, 0)"),
                    "SELECT fencing.enforce('" + table + "', 'strict', '" + column + "')");
        }
        session = database.session();
    }

    @AfterAll
    void close() {
        session.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
                    # setting | statement                                                        | outcome
                    -         | UPDATE item SET stock = 0, T = 33 WHERE id = 1                   | WF001
                    -         | UPDATE item SET stock = 0, T = 34 WHERE id = 1                   | WF002
                    -         | UPDATE item SET stock = 0 WHERE id = 1                           | WF002
                    -         | UPDATE item SET stock = 0, T = 35 WHERE id = 1                   | 1:0!:35
                    -         | UPDATE item SET stock = 0, T = 0 WHERE id = 2                    | WF002
                    -         | INSERT INTO item (id, stock) VALUES (1, 0)                       | WF002
                    -         | INSERT INTO item (id, stock, T) VALUES (3, 0, 35)                | WF002
                    -         | DELETE FROM item WHERE id = 1                                    | WF002
                    -         | DELETE FROM item WHERE id = 2                                    | WF002
                    -         | TRUNCATE item                                                    | WF002
                    33        | UPDATE item SET stock = 0 WHERE id = 1                           | WF001
                    33        | UPDATE item SET stock = 0, T = 34 WHERE id = 1                   | WF001
                    33        | DELETE FROM item WHERE id = 1                                    | WF001
                    34        | UPDATE item SET stock = 0, T = 34 WHERE id = 1                   | 1:0!:34
                    34        | UPDATE item SET stock = 0 WHERE id = 1                           | 1:0!:34
                    35        | UPDATE item SET stock = 0 WHERE id = 1                           | 1:0!:35
                    35        | UPDATE item SET stock = 0 WHERE id IN (1, 2)                     | 1:0!:35 2:0!:35
                    35        | UPDATE item SET stock = 0, T = 36 WHERE id = 1                   | 1:0!:36
                    35        | INSERT INTO item (id, stock) VALUES (3, 0)                       | 1:10!:34 3:0!:35
                    35        | INSERT INTO item (id, stock, T) VALUES (3, 0, 35)                | 1:10!:34 3:0!:35
                    35        | INSERT INTO item (id, stock, T) VALUES (3, 0, 34)                | WF003
                    35        | INSERT INTO item (id, stock, T) VALUES (3, 0, 36)                | WF003
                    35        | INSERT INTO item (id, stock, T) VALUES (3, 0, NULL)              | WF003
                    34        | DELETE FROM item WHERE id = 1                                    |
                    35        | DELETE FROM item WHERE id = 1                                    |
                    35        | TRUNCATE item                                                    | -
                    ''        | UPDATE item SET stock = 0 WHERE id = 1                           | WF002
                    ''        | DELETE FROM item WHERE id = 1                                    | WF002
                    0         | UPDATE item SET stock = 0, T = 0 WHERE id = 2                    | WF004
                    0         | INSERT INTO item (id, stock) VALUES (3, 0)                       | WF004
                    0         | DELETE FROM item WHERE id = 2                                    | WF004
                    0         | TRUNCATE item                                                    | WF004
                    -5        | DELETE FROM item WHERE id = 1                                    | WF004
                    many      | UPDATE item SET stock = 0 WHERE id = 1                           | WF004
                    035       | UPDATE item SET stock = 0 WHERE id = 1                           | 1:0!:35
                    034       | UPDATE item SET stock = 0 WHERE id = 1                           | 1:0!:34
                    3x        | UPDATE item SET stock = 0 WHERE id = 1                           | WF004
                    ' 35'     | UPDATE item SET stock = 0 WHERE id = 1                           | WF004
                    999999999999999999  | UPDATE item SET stock = 0 WHERE id = 1                 | 1:0!:999999999999999999
                    1000000000000000000 | UPDATE item SET stock = 0 WHERE id = 1                 | 1:0!:1000000000000000000
                    9223372036854775807 | UPDATE item SET stock = 0 WHERE id = 1                 | 1:0!:9223372036854775807
                    9223372036854775808 | UPDATE item SET stock = 0 WHERE id = 1                 | WF004
                    """)
    void holdsForEachStatement(String setting, String statement, String outcome) {
        for (String table : new String[] {"item", "parts"}) {
            assertOutcome(table, setting, statement.replace("item", table), outcome);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    UPDATE item SET stock = 0, T = A(35) WHERE id = 1 AND T < 35                                | 1:0!:35
                    UPDATE item SET stock = 0, T = A(34) WHERE id = 1 AND T = 34                                | 1:0!:34
                    INSERT INTO item (id, stock, T) VALUES (3, 0, A(35))                                        | 1:10!:34 3:0!:35
                    INSERT INTO item (id, stock, T) VALUES (1, 0, A(35)) ON CONFLICT (id) DO UPDATE SET stock = EXCLUDED.stock, T = EXCLUDED.T WHERE item.T < EXCLUDED.T | 1:0!:35
                    DELETE FROM item WHERE id = 1 AND T <= 35 AND A(35) = 35                                    |
                    DELETE FROM item WHERE id = 1 AND T <= 33 AND A(33) = 33                                    | 1:10!:34
                    """)
    void worksWithAnAnnouncingStatementAlone(String statement, String outcome) {
        String announcing = statement.replaceAll("A\\((\\d+)\\)", "set_config('fencing.token', '$1', true)::bigint");
        for (String table : new String[] {"item", "parts"}) {
            assertOutcome(table, null, announcing.replace("item", table), outcome);
        }
    }

    private void assertOutcome(String table, String setting, String statement, String outcome) {
        session.run("BEGIN");
        try {
            if (setting != null) {
                session.run("SELECT set_config('fencing.token', '" + setting + "', true)");
            }
            if (outcome != null && outcome.startsWith("WF")) {
                SqlFailure failure = refused(outcome, () -> session.run(named(statement)));
                assertThat(failure.detail()).contains("\"mode\": \"strict\"");
            } else {
                session.run(named(statement));
                String rows =
                        session.ask(named("SELECT string_agg(format('%s:%s:%s', id, shout, T), ' ' ORDER BY id) FROM "
                                + table + " WHERE id <> 2 OR T <> 0"));
                assertThat(rows).isEqualTo(outcome);
            }
        } finally {
            session.run("ROLLBACK");
        }
    }

    private String named(String sql) {
        return sql.replaceAll("\\bT\\b", '"' + column.replace("\"", "\"\"") + '"');
    }
}
