package io.github.fencedwrite.jdbi.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.Rows;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which parameter belongs to which question mark, by name and by its place in the original text. */
class TemplateTest {

    private static final GuardSpec FIRST = GuardSpec.write(FenceMode.FIRST, Rows.ONE, "last_token");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            UPDATE i SET a = :a WHERE k = :k.id   | UPDATE i SET a = ?, last_token = ? WHERE ( k = ?⏎) AND i.last_token < ? | a 1, T, k.id 2, T
            UPDATE i SET a = ? WHERE k ?? ?       | UPDATE i SET a = ?, last_token = ? WHERE ( k ?? ?⏎) AND i.last_token < ? | ? 1, T, ? 2, T
            UPDATE i SET a = b\\:\\:text + :a     | UPDATE i SET a = b::text + ?, last_token = ? WHERE i.last_token < ?    | a 1, T, T
            INSERT INTO i (a, b) VALUES (:a, :b)  | INSERT INTO i (a, b, last_token) VALUES (?, ?, ?)                       | a 1, b 2, T
            """)
    void writesQuestionMarksForJdbc(String sql, String expected, String slots) {
        Template.Rendered rendered =
                Guard.rewrite(sql, ParameterStyle.JDBI, FIRST).statement().forJdbc();
        assertThat(rendered.sql()).isEqualTo(expected.replace('⏎', '\n'));
        assertThat(rendered.slots().stream()
                        .map(slot -> slot.isToken() ? "T" : slot.name() + " " + slot.ordinal())
                        .collect(Collectors.joining(", ")))
                .isEqualTo(slots);
        assertThat(rendered.slots())
                .filteredOn(Template.Slot::isToken)
                .extracting(Template.Slot::name)
                .isNotEmpty()
                .containsOnly(Template.TOKEN);
    }
}
