package io.github.fencedwrite.jdbi.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.Rows;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** About which rows a probe asks; ⏎ stands for a line end. */
class ProbeTest {

    private static final GuardSpec FIRST = GuardSpec.write(FenceMode.FIRST, Rows.MANY, "last_token");

    private static Template probe(String sql, String... knownKey) {
        GuardSpec fence = !sql.contains("SELECT a")
                ? FIRST
                : GuardSpec.claim(sql.contains("ORDER") ? Rows.MANY : Rows.ONE, "last_token");
        return Guard.rewrite(sql, ParameterStyle.JDBI, fence, List.of(knownKey)).probe();
    }

    private static String rows(Template probe) {
        String text = probe.forParser(":t");
        String end = "last_token) FROM ";
        return text.substring(text.indexOf(end) + end.length()).replace('\n', '⏎');
    }

    @Test
    void countsTokensBehindTheWithOfTheStatement() {
        assertThat(probe("WITH g AS (SELECT 1 AS x) UPDATE i AS y SET a = 1 WHERE k IN (SELECT x FROM g)")
                        .forParser(":t"))
                .isEqualTo("WITH g AS (SELECT 1 AS x) SELECT count(*), count(*) FILTER (WHERE y.last_token > :t),"
                        + " count(*) FILTER (WHERE y.last_token = :t), count(*) - count(y.last_token),"
                        + " max(y.last_token) FROM i AS y WHERE ( k IN (SELECT x FROM g)\n)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            UPDATE i SET a = 1                                             | i
            UPDATE i SET a = 1 RETURNING a                                 | i
            UPDATE i SET a = 1 WHERE k = :k RETURNING a                    | i WHERE ( k = :k⏎)
            UPDATE ONLY i x SET a = j.a FROM j, l WHERE j.k = x.k          | ONLY i x, j, l WHERE ( j.k = x.k⏎)
            UPDATE i SET a = j.a FROM j RETURNING 1                        | i, j
            DELETE FROM i                                                  | i
            DELETE FROM i WHERE k = :k RETURNING a, b                      | i WHERE ( k = :k⏎)
            DELETE FROM p.i AS x USING j, l WHERE j.k = x.k                | p.i AS x, j, l WHERE ( j.k = x.k⏎)
            DELETE FROM i USING j                                          | i, j
            SELECT a FROM i                                                | i
            SELECT a FROM i WHERE k = :k                                   | i WHERE ( k = :k⏎)
            SELECT a FROM i WHERE g = :g ORDER BY k, a                     | i WHERE ( g = :g⏎)
            SELECT a FROM i x ORDER BY k                                   | i x
            """)
    void asksForTheRowsThatTheConditionHits(String sql, String rows) {
        assertThat(rows(probe(sql))).isEqualTo(rows);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            (k, a) VALUES (:k, 1) ON CONFLICT (k)              | i WHERE (i.k = (:k⏎))
            (a, "K") VALUES (f(1, 2), 3 + 4) ON CONFLICT ("K") | i WHERE (i."K" = (3 + 4⏎))
            (a, k) VALUES (DEFAULT, 3) ON CONFLICT (k)         | i WHERE (i.k = (3⏎))
            (g, a, k) VALUES (1, 2, 3) ON CONFLICT (K, g) WHERE a > 0 | i WHERE (i.k = (3⏎) AND i.g = (1⏎))
            (a, k) VALUES (1, 2), (3, 4) ON CONFLICT (k)       | i WHERE (i.k = (2⏎)) OR (i.k = (4⏎))
            """)
    void asksForTheRowsThatTheKeyOfAnUpsertHits(String insert, String rows) {
        assertThat(rows(probe("INSERT INTO i " + insert + " DO UPDATE SET a = 1")))
                .isEqualTo(rows);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(k, a) VALUES (DEFAULT, 1) ON CONFLICT (k)",
                "(k, a) VALUES (1, 2), (DEFAULT, 3) ON CONFLICT (k)",
                "(a, k) VALUES (1) ON CONFLICT (k)",
                "(a, b) VALUES (1, 2) ON CONFLICT (k)",
                "(k, a) VALUES (1, 2) ON CONFLICT (lower(k))",
                "(k, a) VALUES (1, 2) ON CONFLICT (k, (a + 1))",
                "(k, a) VALUES (1, 2) ON CONFLICT (k COLLATE \"C\")",
                "(k, a) VALUES (1, 2) ON CONFLICT (k text_ops, a)",
                "(k, a) VALUES (1, 2) ON CONFLICT ON CONSTRAINT i_pkey"
            })
    void asksNothingIfTheTextDoesNotTellTheKey(String insert) {
        assertThat(probe("INSERT INTO i " + insert + " DO UPDATE SET a = 1")).isNull();
    }

    @Test
    void asksForTheKnownKeyOfAnInsert() {
        assertThat(probe("INSERT INTO i (a, k) VALUES (1, :k)")).isNull();
        assertThat(rows(probe("INSERT INTO i (a, K) VALUES (1, :k)", "k"))).isEqualTo("i WHERE (i.K = (:k⏎))");
        assertThat(rows(probe("INSERT INTO i (k, u) VALUES (1, 2) ON CONFLICT (k) DO UPDATE SET a = 1", "u")))
                .isEqualTo("i WHERE (i.u = (2⏎))");
    }

    @Test
    void bindsTheKeyBehindTheTokens() {
        assertThat(probe("INSERT INTO i (a, k) VALUES (:a, :k) ON CONFLICT (k) DO UPDATE SET a = 1")
                        .forJdbc()
                        .slots())
                .containsExactly(
                        new Template.Slot(Template.TOKEN, 0),
                        new Template.Slot(Template.TOKEN, 0),
                        new Template.Slot("k", 2));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            UPDATE i AS x SET a = 1                        | i AS x⏎FOR NO KEY UPDATE OF x
            UPDATE i SET a = 1 WHERE k = :k RETURNING a    | i WHERE ( k = :k⏎)⏎FOR NO KEY UPDATE OF i
            UPDATE i SET a = j.a FROM j WHERE j.k = i.k    | i WHERE EXISTS (SELECT FROM j WHERE ( j.k = i.k⏎)⏎)⏎FOR NO KEY UPDATE OF i
            DELETE FROM p.i USING j                        | p.i WHERE EXISTS (SELECT FROM j⏎)⏎FOR UPDATE OF i
            """)
    void locksAndCountsEachRowOnce(String sql, String rows) {
        String text = Guard.rewrite(sql, ParameterStyle.JDBI, FIRST).before().forParser(":t");
        String begin = "AS token FROM ";
        assertThat(text).startsWith("SELECT count(*), count(*) FILTER (WHERE fencing_locked__.token > :t)");
        assertThat(text.substring(text.indexOf(begin) + begin.length()).replace('\n', '⏎'))
                .isEqualTo(rows + ") AS fencing_locked__");
    }
}
