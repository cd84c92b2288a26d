package io.github.fencedwrite.jdbi.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LexemeTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            Sku                     | sku
            "Sku"                   | Sku
            "a""b\\0041"            | a"b\\0041
            U&"Sku"                 | Sku
            U&"\\0041\\+000042\\\\" | AB\\
            u&"d\\0061t\\+000061"   | data
            U&"+\\0041+"            | +A+
            U&"\\\\0041\\\\\\0041"  | \\0041\\A
            U&"a""\\0022"           | a""
            U&"\\D83D\\DE00"        | \uD83D\uDE00
            U&"\\+01F600"           | \uD83D\uDE00
            U&"\\004"               | \\004
            U&"\\+00004"            | \\+00004
            U&"a\\"                 | a\\
            U&"a\\00zz1"            | a\\00zz1
            U&"a\\+110000b"         | a\\+110000b
            """)
    void namesWhatTheDatabaseLooksUp(String sql, String name) {
        assertThat(Scanner.scan(sql, ParameterStyle.JDBI))
                .singleElement()
                .extracting(Lexeme::identifier)
                .isEqualTo(name);
    }
}
