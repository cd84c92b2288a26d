package io.github.fencedwrite.jdbi.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.Rows;
import io.github.fencedwrite.jdbi.StatementRefusedException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GuardTest {

    private static final GuardSpec FIRST = GuardSpec.write(FenceMode.FIRST, Rows.ONE, "last_token");
    private static final GuardSpec CLAIMED = GuardSpec.write(FenceMode.CLAIMED, Rows.ONE, "last_token");
    private static final GuardSpec CLAIM = GuardSpec.claim(Rows.ONE, "last_token");

    private static String rewrite(String sql, GuardSpec fence) {
        return Guard.rewrite(sql, ParameterStyle.JDBI, fence).statement().forParser(":t");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            UPDATE i SET a = 1 WHERE k = :k      | UPDATE i SET a = 1, last_token = :t WHERE ( k = :k⏎) AND i.last_token < :t
            UPDATE i SET a = 1                   | UPDATE i SET a = 1, last_token = :t WHERE i.last_token < :t
            UPDATE ONLY p.i AS x SET a=1 WHERE b | UPDATE ONLY p.i AS x SET a=1, last_token = :t WHERE ( b⏎) AND x.last_token < :t
            UPDATE "I" x SET (a,b)=(1,2) WHERE c | UPDATE "I" x SET (a,b)=(1,2), last_token = :t WHERE ( c⏎) AND x.last_token < :t
            DELETE FROM i WHERE a OR b RETURNING * | DELETE FROM i WHERE ( a OR b⏎) AND i.last_token < :t RETURNING *
            DELETE FROM p.i                      | DELETE FROM p.i WHERE i.last_token < :t
            UPDATE ONLY (p.i) SET a = 1          | UPDATE ONLY (p.i) SET a = 1, last_token = :t WHERE i.last_token < :t
            UPDATE ONLY i SET a = 1              | UPDATE ONLY i SET a = 1, last_token = :t WHERE i.last_token < :t
            UPDATE i SET a = 1 RETURNING a, b    | UPDATE i SET a = 1, last_token = :t WHERE i.last_token < :t RETURNING a, b
            UPDATE i SET a = i.where + 1         | UPDATE i SET a = i.where + 1, last_token = :t WHERE i.last_token < :t
            UPDATE i SET a = b IS DISTINCT FROM c | UPDATE i SET a = b IS DISTINCT FROM c, last_token = :t WHERE i.last_token < :t
            DELETE FROM i WHERE a; ;             | DELETE FROM i WHERE ( a⏎) AND i.last_token < :t; ;
            WITH d AS ((VALUES (1))) DELETE FROM i | WITH d AS ((VALUES (1))) DELETE FROM i WHERE i.last_token < :t
            WITH d (x) AS (TABLE j) DELETE FROM i | WITH d (x) AS (TABLE j) DELETE FROM i WHERE i.last_token < :t
            INSERT INTO i (a, b) VALUES (1, :b), (2, DEFAULT) | INSERT INTO i (a, b, last_token) VALUES (1, :b, :t), (2, DEFAULT, :t)
            """)
    void guardsFirstWrites(String sql, String expected) {
        assertThat(rewrite(sql, FIRST)).isEqualTo(expected.replace('⏎', '\n'));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", " \n\t ", "\r", " -- ' \n -- '' \n", "\f\n\u000b"})
    void stringsWithEscapesGoOnInTheNextLine(String between) {
        String value = "E'a'" + between + "'b\\' WHERE '";
        assertThat(rewrite("UPDATE i SET a = " + value + " WHERE k = 1", FIRST))
                .isEqualTo("UPDATE i SET a = " + value + ", last_token = :t WHERE ( k = 1\n) AND i.last_token < :t");
    }

    @Test
    void guardsWritesOfClaimedRowsByEquality() {
        assertThat(rewrite("UPDATE i SET a = 1 WHERE k = :k", CLAIMED))
                .isEqualTo("UPDATE i SET a = 1 WHERE ( k = :k\n) AND i.last_token = :t");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            UPDATE i SET a = 1 WHERE k = 1 | UPDATE i SET a = 1, last_token = announced WHERE ( k = 1⏎) AND i.last_token = :t
            DELETE FROM i                  | DELETE FROM i WHERE i.last_token = :t AND announced = :t
            INSERT INTO i (a) VALUES (1)   | INSERT INTO i (a, last_token) VALUES (1, announced)
            """)
    void announcesTheTokenInTheStatementItself(String sql, String expected) {
        assertThat(rewrite(sql, CLAIMED.withAnnouncing(true)))
                .isEqualTo(expected.replace('⏎', '\n')
                        .replace("announced", "set_config('fencing.token', CAST(:t AS text), true)::bigint"));
    }

    @Test
    void guardsUpsertsOnTheRowThatIsThere() {
        assertThat(rewrite(
                        "INSERT INTO i AS x (k, a) VALUES (:k, 1) ON CONFLICT (k) DO UPDATE SET a = EXCLUDED.a", FIRST))
                .isEqualTo("INSERT INTO i AS x (k, a, last_token) VALUES (:k, 1, :t) ON CONFLICT (k) DO UPDATE SET a ="
                        + " EXCLUDED.a, last_token = EXCLUDED.last_token WHERE x.last_token < EXCLUDED.last_token");
    }

    @Test
    void turnsSelectIntoClaim() {
        assertThat(rewrite("SELECT x.a, x.b FROM p.i AS x WHERE x.k = :k -- one", CLAIM))
                .isEqualTo(
                        "UPDATE p.i AS x SET last_token = :t WHERE ( x.k = :k\n) AND x.last_token <= :t RETURNING x.a, x.b");
    }

    @Test
    void turnsSelectOfAllRowsIntoClaim() {
        assertThat(rewrite("SELECT a FROM i", CLAIM))
                .isEqualTo("UPDATE i SET last_token = :t WHERE i.last_token <= :t RETURNING a");
    }

    @Test
    void turnsOrderedSelectIntoClaimOfSeveralRows() {
        Guarded claim = Guard.rewrite(
                "SELECT * FROM i WHERE g = :g ORDER BY k",
                ParameterStyle.JDBI,
                GuardSpec.claim(Rows.MANY, "last_token"));
        assertThat(claim.statement().forParser(":t"))
                .isEqualTo(
                        "WITH i AS (UPDATE i SET last_token = :t WHERE ( g = :g\n) AND i.last_token <= :t RETURNING *)"
                                + " SELECT * FROM i ORDER BY k");
        assertThat(claim.lock().forParser(":t"))
                .isEqualTo("SELECT * FROM i WHERE g = :g ORDER BY k\nFOR NO KEY UPDATE OF i");
    }

    @Test
    void keepsTheGuardOutOfTrailingComments() {
        assertThat(rewrite("UPDATE i SET a = 1 -- a\n WHERE k = 2 -- k", FIRST))
                .isEqualTo("UPDATE i SET a = 1, last_token = :t -- a\n WHERE ( k = 2\n) AND i.last_token < :t -- k");
    }

    @Test
    void keepsTheGuardOutOfStrings() {
        assertThat(rewrite("UPDATE i SET a = E'b''\\' WHERE c' WHERE k = 2", FIRST))
                .isEqualTo(
                        "UPDATE i SET a = E'b''\\' WHERE c', last_token = :t WHERE ( k = 2\n) AND i.last_token < :t");
    }

    @Test
    void replacesPlaceholders() {
        assertThat(rewrite(
                        "MERGE INTO i USING s ON i.k = s.k WHEN MATCHED AND {fence.guard i} THEN UPDATE SET a = 1, {fence.set}",
                        FIRST))
                .isEqualTo("MERGE INTO i USING s ON i.k = s.k WHEN MATCHED AND i.last_token < :t THEN UPDATE SET a = 1,"
                        + " last_token = :t");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            UPDATE i SET a = 1 WHERE CURRENT OF c             | 25 | CURRENT OF
            MERGE INTO i USING s ON true WHEN MATCHED THEN DELETE | 0 | MERGE
            WITH d AS (DELETE FROM i RETURNING *) UPDATE i SET a=1 | 11 | WITH
            UPDATE i SET a = 1; UPDATE i SET a = 2            | 18 | several
            INSERT INTO i (a) SELECT 1                        | 18 | VALUES
            INSERT INTO i VALUES (1)                          | 14 | columns
            INSERT INTO i (a) VALUES (1) ON CONFLICT DO NOTHING | 41 | DO NOTHING
            UPDATE i SET last_token = 3 WHERE k = 1           | 13 | names the token column
            UPDATE i SET a = 1 WHERE "last_token" = 3         | 25 | names the token column
            UPDATE i SET a = 1 WHERE a = 1) OR (b = 2         | 30 | closes nothing
            SELECT 1                                          | 0  | SELECT
            TRUNCATE i                                        | 0  | TRUNCATE
            UPDATE i SET a = 'x                               | 17 | never closed
            UPDATE i SET WHERE a = 1                          | 13 | assignment
            UPDATE i SET a = :a:b WHERE c                     | 17 | blank
            UPDATE i SET a = 1 WHERE b = ?:c                  | 30 | blank
            UPDATE i SET a = :a WHERE b = ? AND c = :c        | 30 | mixed
            UPDATE i SET a = ? WHERE b = :b                   | 29 | mixed
            UPDATE i SET a = :a WHERE b ? 'k'                 | 28 | ??
            UPDATE i SET a = ?, {fence.set} WHERE {fence.guard i} AND b = :b | 62 | mixed
            UPDATE i SET a = \\' WHERE b = \\' OR true | 17 | backslash
            UPDATE i SET a = 1 WHERE b @\\? c | 28 | backslash
            INSERT INTO i (a) VALUES (1) ON CONFLICT ON CONSTRAINT | 54 | constraint
            INSERT INTO i (a) VALUES (1) ON CONFLICT ON CONSTRAINT 'c' DO UPDATE SET a = 1 | 55 | constraint
            UPDATE i SET a = 1, {fence.set} WHERE {fence.guard ?} | 38 | not closed
            INSERT INTO i (a) VALUES (1) ON CONFLICT | 40 | the end of the statement was not expected here
            INSERT INTO i (a) VALUES (1) ON CONFLICT (a) DO UPDATE a = 1 | 55 | «a» was not expected here
            WITH d (a) (SELECT 1) UPDATE i SET a = 1 | 11 | «(» was not expected here
            WITH d AS SELECT 1 UPDATE i SET a = 1 | 10 | writes nothing that could be guarded
            ; ; | 0 | there is no statement
            WITH d AS ((DELETE FROM i)) DELETE FROM i | 12 | not a query
            UPDATE ONLY (i, j) SET a = 1 | 14 | «)» was expected
            UPDATE i SET a = 1 WHERE | 24 | a condition was expected
            UPDATE RETURNING i SET last_token = 1 WHERE k = 2 | 7 | table
            UPDATE i AS RETURNING SET a = 1 WHERE k = 2 | 12 | alias
            DELETE FROM Where WHERE k = 2 | 12 | table
            INSERT INTO on (a) VALUES (1) | 12 | table
            """)
    void refusesWhatItDoesNotUnderstand(String sql, int offset, String reason) {
        assertThatThrownBy(() -> rewrite(sql, FIRST))
                .isInstanceOfSatisfying(
                        StatementRefusedException.class,
                        refusal -> assertThat(refusal.offset()).isEqualTo(offset))
                .hasMessageContaining(reason)
                .hasMessageContaining("was not run");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ONE  | UPDATE i SET a = 1               | 0  | a claim begins with SELECT
            ONE  | SELECT a AS from                 | 16 | a claim reads rows of one table
            ONE  | SELECT 1                         | 8  | a claim reads rows of one table
            ONE  | SELECT DISTINCT a FROM i         | 18 | a claim reads rows of one table
            ONE  | SELECT ALL a FROM i              | 13 | a claim reads rows of one table
            ONE  | SELECT FROM i                    | 7  | a select list was expected
            ONE  | SELECT a FROM i, j WHERE k = 1   | 15 | «,» was not expected here
            ONE  | SELECT a FROM i JOIN j ON true   | 16 | «JOIN» was not expected here
            ONE  | SELECT count(*) FROM i           | 7  | a claim returns the rows
            ONE  | SELECT a, 1 + Max(b) FROM i      | 14 | a claim returns the rows
            ONE  | SELECT (SELECT max(b) FROM j), sum(a) FROM i | 31 | a claim returns the rows
            ONE  | SELECT a FROM i WHERE            | 21 | a condition was expected
            ONE  | SELECT a FROM i WHERE k = 1 ORDER BY k  | 28 | a claim of one row ends with its condition
            ONE  | SELECT a FROM i WHERE k = 1 LIMIT 1     | 28 | a claim of one row ends with its condition
            MANY | SELECT a FROM i WHERE k = 1             | 27 | a claim of several rows ends in ORDER BY
            MANY | SELECT a FROM i WHERE ORDER BY k        | 22 | a condition was expected
            MANY | SELECT a FROM i ORDER BY k LIMIT 1      | 16 | a claim of several rows ends in ORDER BY
            MANY | SELECT a FROM i GROUP BY a ORDER BY a   | 16 | «GROUP» was not expected here
            """)
    void refusesToClaimWhatItDoesNotUnderstand(Rows rows, String sql, int offset, String reason) {
        assertThatThrownBy(() -> rewrite(sql, GuardSpec.claim(rows, "last_token")))
                .isInstanceOfSatisfying(
                        StatementRefusedException.class,
                        refusal -> assertThat(refusal.offset()).isEqualTo(offset))
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            UPDATE p.i x SET a = :a WHERE k = :k AND g = :g RETURNING f(:x) | UPDATE | p.i | true  | 0 | 2, 3
            UPDATE i SET a = :a                                   | UPDATE | i   | false | 0 | ~~
            DELETE FROM "I" WHERE k = ?                           | DELETE | "I" | false | 0 | 1
            DELETE FROM i WHERE k = 1 RETURNING *                 | DELETE | i   | true  | 0 | ~~
            INSERT INTO i (k, a) VALUES (:k, f(:b, 1)), (:c, :d)  | INSERT | i   | false | 2 | 1, 2
            INSERT INTO i (k) VALUES (1) RETURNING k              | INSERT | i   | true  | 1 | ~~
            INSERT INTO i (a, k) VALUES (f(1, :a), :k) ON CONFLICT (k) DO UPDATE SET a = :b | UPSERT | i | false | 1 | 2
            INSERT INTO i (k, a) VALUES (:k, :a) ON CONFLICT (k) DO UPDATE SET a = 1 RETURNING a | UPSERT | i | true | 1 | 1
            INSERT INTO i (k, a) VALUES (:k, :a) ON CONFLICT ON CONSTRAINT "K" DO UPDATE SET a = :b | UPSERT | i | false | 1 | 1, 2
            SELECT f(:x) FROM i WHERE k = :k                      | CLAIM  | i   | true  | 0 | 2
            SELECT f(:x) FROM i WHERE k = :k ORDER BY :o          | CLAIM  | i   | true  | 0 | 2
            """)
    void tellsHowTheResultIsToBeRead(
            String sql, Guarded.Kind kind, String table, boolean returning, int rows, String keys) {
        GuardSpec fence = !sql.startsWith("SELECT")
                ? FIRST
                : GuardSpec.claim(sql.contains("ORDER") ? Rows.MANY : Rows.ONE, "last_token");
        Guarded guarded = Guard.rewrite(sql, ParameterStyle.JDBI, fence);
        assertThat(guarded.kind()).isEqualTo(kind);
        assertThat(guarded.table()).isEqualTo(table);
        assertThat(guarded.returning()).isEqualTo(returning);
        assertThat(guarded.valuesRows()).isEqualTo(rows);
        assertThat(guarded.keys().stream().map(String::valueOf)).containsExactlyElementsOf(list(keys));
        assertThat(guarded.conflict()).isEqualTo(sql.contains("CONSTRAINT") ? "K" : null);
        assertThat(guarded.lock() != null).isEqualTo(sql.contains("ORDER"));
    }

    private static List<String> list(String items) {
        return items.isEmpty() ? List.of() : List.of(items.split(", "));
    }

    @Test
    void namesTheRowsOfAnInsertByItsKnownKey() {
        assertThat(Guard.rewrite("INSERT INTO i (a, k) VALUES (:a, :k)", ParameterStyle.JDBI, FIRST, List.of("k"))
                        .keys())
                .containsExactly(2);
    }

    @ParameterizedTest
    @MethodSource("io.github.fencedwrite.jdbi.internal.sql.CorpusIT#refused")
    void refusesTheCorpusOfWhatIsNotUnderstood(CorpusIT.Refused refused) {
        assertThatThrownBy(() -> Guard.rewrite(refused.sql(), ParameterStyle.JDBI, FIRST))
                .isInstanceOfSatisfying(
                        StatementRefusedException.class,
                        e -> assertThat(refused.sql().substring(e.offset())).startsWith(refused.at()))
                .hasMessageMatching(
                        "(?s)This statement cannot be guarded and was not run: at offset \\d+, .+\\. [A-Z].+");
    }
}
