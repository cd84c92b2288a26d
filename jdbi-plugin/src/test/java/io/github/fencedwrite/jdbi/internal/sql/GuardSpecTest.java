package io.github.fencedwrite.jdbi.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.Rows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GuardSpecTest {

    private static GuardSpec of(String column) {
        return GuardSpec.write(FenceMode.FIRST, Rows.ONE, column);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0123456789012345678901234567890123456789012345678901234567890123",
                "éééééééééééééééééééééééééééééééé",
                "a\0b",
                "\0"
            })
    void refusesWhatIsNoNameInPostgres(String column) {
        assertThatThrownBy(() -> of(column))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 to 63 bytes");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '~', textBlock = """
            last_token, last_token
            Token, "Token"
            1st, "1st"
            a"b, "a""b"
            """)
    void quotesColumnsWhereSqlNeedsIt(String column, String quoted) {
        assertThat(of(column).quotedColumn()).isEqualTo(quoted);
    }

    @Test
    void takesTheLongestNameOfPostgres() {
        String longest = "c".repeat(63);
        assertThat(of(longest).quotedColumn()).isEqualTo(longest);
        String longestInBytes = "é".repeat(31) + "c";
        assertThat(of(longestInBytes).quotedColumn()).isEqualTo('"' + longestInBytes + '"');
    }

    @Test
    void announcesIfToldTo() {
        GuardSpec fence = of("last_token");
        assertThat(fence.announcing()).isFalse();
        assertThat(fence.withAnnouncing(false)).isSameAs(fence);
        assertThat(fence.withAnnouncing(true))
                .isEqualTo(new GuardSpec(false, FenceMode.FIRST, Rows.ONE, "last_token", true));
        assertThat(fence.withAnnouncing(true).withAnnouncing(false)).isEqualTo(fence);
    }
}
