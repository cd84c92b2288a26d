package io.github.fencedwrite.jdbi.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Into which tokens a text falls; a bullet stands between two of them, and ⏎ for a line end. */
class ScannerTest {

    private static String scan(String sql, ParameterStyle dialect) {
        List<Lexeme> tokens = Scanner.scan(sql, dialect);
        assertThat(tokens)
                .allSatisfy(token ->
                        assertThat(sql.substring(token.start(), token.end())).isEqualTo(token.text()));
        return tokens.stream().map(token -> token.kind() + " " + token.text()).collect(Collectors.joining(" • "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0         | NUMBER 0
            9         | NUMBER 9
            .5        | NUMBER .5
            1_000.25  | NUMBER 1_000.25
            1e5       | NUMBER 1e5
            1.5e+3    | NUMBER 1.5e+3
            1E-10     | NUMBER 1E-10
            1e10OFFSET | NUMBER 1e10 • WORD OFFSET
            1e        | NUMBER 1 • WORD e
            1e+       | NUMBER 1 • WORD e • SYMBOL +
            1e-x      | NUMBER 1 • WORD e • SYMBOL - • WORD x
            1e*2      | NUMBER 1 • WORD e • SYMBOL * • NUMBER 2
            2WHERE    | NUMBER 2 • WORD WHERE
            0WHERE    | NUMBER 0 • WORD WHERE
            0x10      | NUMBER 0x10
            a 0xA_f   | WORD a • NUMBER 0xA_f
            a 0o17    | WORD a • NUMBER 0o17
            a 0B01    | WORD a • NUMBER 0B01
            0x1WHERE  | NUMBER 0x1 • WORD WHERE
            1x1       | NUMBER 1 • WORD x1
            10x1      | NUMBER 10 • WORD x1
            """)
    void readsNumbers(String sql, String tokens) {
        assertThat(scan(sql, ParameterStyle.JDBI)).isEqualTo(tokens);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "z", "A", "Z", "_", "é", "\u0080", "\uD83D\uDE00", "a1$_é"})
    void readsWords(String word) {
        assertThat(scan("+" + word + "+", ParameterStyle.JDBI)).isEqualTo("SYMBOL + • WORD " + word + " • SYMBOL +");
    }

    @ParameterizedTest
    @ValueSource(strings = {"@", "`", "{", "/", ":", ";", "\u007f", "\u001f", "\u000e", "\b"})
    void readsAllElseCharacterByCharacter(String symbol) {
        assertThat(scan(symbol + symbol.charAt(0) + " ", ParameterStyle.JDBC)).startsWith("SYMBOL " + symbol);
    }

    @Test
    void skipsWhiteSpace() {
        assertThat(scan("\ta\tb\nc\u000bd\fe\rf ", ParameterStyle.JDBI))
                .isEqualTo("WORD a • WORD b • WORD c • WORD d • WORD e • WORD f");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            1 'a''b' c        | NUMBER 1 • STRING 'a''b' • WORD c
            1 'a\\' c         | NUMBER 1 • STRING 'a\\' • WORD c
            1 E'a\\'b' c      | NUMBER 1 • STRING E'a\\'b' • WORD c
            1 e'a\\'b' c      | NUMBER 1 • STRING e'a\\'b' • WORD c
            1 b'01' B'01'     | NUMBER 1 • STRING b'01' • STRING B'01'
            1 x'1F' X'1F'     | NUMBER 1 • STRING x'1F' • STRING X'1F'
            1 n'a\\' N'a'     | NUMBER 1 • STRING n'a\\' • STRING N'a'
            1 u&'a\\' c       | NUMBER 1 • STRING u&'a\\' • WORD c
            1 U&'a''b' c      | NUMBER 1 • STRING U&'a''b' • WORD c
            1 xe'a\\' c       | NUMBER 1 • WORD xe • STRING 'a\\' • WORD c
            1 f'a' c          | NUMBER 1 • WORD f • STRING 'a' • WORD c
            1 xu&'a'          | NUMBER 1 • WORD xu • SYMBOL & • STRING 'a'
            1 x&'a'           | NUMBER 1 • WORD x • SYMBOL & • STRING 'a'
            1 u&a             | NUMBER 1 • WORD u • SYMBOL & • WORD a
            1 "a""b" c        | NUMBER 1 • QUOTED "a""b" • WORD c
            1 u&"a""b" c      | NUMBER 1 • QUOTED u&"a""b" • WORD c
            1 U&"a" c         | NUMBER 1 • QUOTED U&"a" • WORD c
            1 xu&"a"          | NUMBER 1 • WORD xu • SYMBOL & • QUOTED "a"
            1 x&"a"           | NUMBER 1 • WORD x • SYMBOL & • QUOTED "a"
            ~E'a'⏎~           | STRING E'a'
            E'a' -- b         | STRING E'a'
            E'a'⏎b            | STRING E'a' • WORD b
            E'a'⏎'b\\'c'      | ~STRING E'a'⏎'b\\'c'~
            'a'⏎'b\\'         | STRING 'a' • STRING 'b\\'
            """)
    void readsStringsAndQuotedNames(String sql, String tokens) {
        assertThat(scan(sql.replace('⏎', '\n'), ParameterStyle.JDBI)).isEqualTo(tokens.replace('⏎', '\n'));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            $$a'b$$ c         | STRING $$a'b$$ • WORD c
            $a1$ $$ $a$ $a1$  | STRING $a1$ $$ $a$ $a1$
            $1                | SYMBOL $ • NUMBER 1
            $1$               | SYMBOL $ • NUMBER 1 • SYMBOL $
            $a                | SYMBOL $ • WORD a
            $                 | SYMBOL $
            a$b$c             | WORD a$b$c
            """)
    void readsDollarQuotes(String sql, String tokens) {
        assertThat(scan(sql, ParameterStyle.JDBI)).isEqualTo(tokens);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            :a                | NAMED :a
            (:a.b, :a?.b)     | SYMBOL ( • NAMED :a.b • SYMBOL , • NAMED :a?.b • SYMBOL )
            (:.a, :?.a)       | SYMBOL ( • NAMED :.a • SYMBOL , • NAMED :?.a • SYMBOL )
            :1                | NAMED :1
            a::b              | WORD a • SYMBOL :: • WORD b
            :a::b             | NAMED :a • SYMBOL :: • WORD b
            a : b             | WORD a • SYMBOL : • WORD b
            a:=1              | WORD a • SYMBOL : • SYMBOL = • NUMBER 1
            a :               | WORD a • SYMBOL :
            a[1:2]            | WORD a • SYMBOL [ • NUMBER 1 • SYMBOL : • NUMBER 2 • SYMBOL ]
            a[:b]             | WORD a • SYMBOL [ • NAMED :b • SYMBOL ]
            a[(:1)]           | WORD a • SYMBOL [ • SYMBOL ( • NAMED :1 • SYMBOL ) • SYMBOL ]
            ? ??              | POSITIONAL ? • SYMBOL ??
            a \\:b            | WORD a • ESCAPED \\: • WORD b
            a \\              | WORD a • SYMBOL \\
            """)
    void readsParametersAsJdbiHasThem(String sql, String tokens) {
        assertThat(scan(sql, ParameterStyle.JDBI)).isEqualTo(tokens);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            :a ? ??           | SYMBOL : • WORD a • POSITIONAL ? • SYMBOL ??
            a \\:b            | WORD a • SYMBOL \\ • SYMBOL : • WORD b
            """)
    void readsQuestionMarksOnlyAsParametersOfJdbc(String sql, String tokens) {
        assertThat(scan(sql, ParameterStyle.JDBC)).isEqualTo(tokens);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a b", "a--\nb", "a/**/b", "a b -- '", "a b--", "a /* /* */ ' */ b", "a b /* */", "a -- \"\rb"})
    void skipsComments(String sql) {
        assertThat(scan(sql, ParameterStyle.JDBI)).isEqualTo("WORD a • WORD b");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            a 'b              | 2 | the string that begins here is never closed
            a E'b\\'          | 2 | the string that begins here is never closed
            a E'b\\           | 2 | the string that begins here is never closed
            a u&'b            | 2 | the string that begins here is never closed
            a $b$ $$          | 2 | the string that begins here is never closed
            a U&"b            | 2 | the quoted name that begins here is never closed
            a /* /* */        | 2 | the comment that begins here is never closed
            a /*              | 2 | the comment that begins here is never closed
            a (b[c            | 4 | «[» is never closed
            a (b]             | 4 | «]» closes nothing
            a UESCAPE '!'     | 2 | UESCAPE can hide what a name means
            a \\b             | 2 | the backslash hides «b» from the guard, but not from the database
            """)
    void refusesWhatIsNotClosedOrHides(String sql, int offset, String reason) {
        assertThatThrownBy(() -> Scanner.scan(sql, ParameterStyle.JDBI))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.offset).isEqualTo(offset))
                .hasMessage(reason);
    }
}
