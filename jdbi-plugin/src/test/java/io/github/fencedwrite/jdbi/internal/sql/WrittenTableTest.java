package io.github.fencedwrite.jdbi.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.jdbi.StatementRefusedException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WrittenTableTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            WITH x AS (SELECT 1) UPDATE ONLY P.i SET a = 1        | p.i
            WITH x (a) AS (VALUES (1)), y AS (TABLE x) DELETE FROM "I" | I
            (WITH x AS (SELECT 1) SELECT * FROM x)                | ~~
            """)
    void namesTheTargetBehindWhatIsRead(String sql, String target) {
        assertThat(String.join(".", WrittenTable.of(sql).target())).isEqualTo(target);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            (WITH x AS (DELETE FROM i RETURNING *) SELECT * FROM x) | 12 | not a query
            MERGE INTO i USING x ON true                            | 0  | several actions
            SELECT a INTO z FROM i                                  | 9  | makes a table
            WITH x AS (SELECT 1) SELECT * INTO TEMP z FROM x        | 30 | makes a table
            """)
    void refusesWhatWritesUnseen(String sql, int offset, String reason) {
        assertThatThrownBy(() -> WrittenTable.of(sql))
                .isInstanceOfSatisfying(
                        StatementRefusedException.class,
                        refusal -> assertThat(refusal.offset()).isEqualTo(offset))
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @CsvSource({
        "DELETE FROM p.i, i, true",
        "DELETE FROM p.i, p.i, true",
        "DELETE FROM i, p.i, true",
        "DELETE FROM p.i, q.i, false",
        "DELETE FROM p.i, p, false",
        "SELECT 1, i, false"
    })
    void mayMeanTheTableWhoseSchemaIsMissing(String sql, String table, boolean may) {
        assertThat(WrittenTable.of(sql).mayBe(List.of(table.split("\\.")))).isEqualTo(may);
    }
}
