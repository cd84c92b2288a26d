package io.github.fencedwrite.internal.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/** How much a reply may be, to the byte. */
class ReplyParserTest {

    private static final int MEBIBYTE = 1 << 20;

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void readsWhatIsJustSmallEnough(String what, String reply, Object expected) {
        assertThat(read(reply)).isEqualTo(expected);
    }

    static Stream<Arguments> readsWhatIsJustSmallEnough() {
        return Stream.of(
                Arguments.of("empty list", "*0\r\n", List.of()),
                Arguments.of("long list", "*1024\r\n" + ":7\r\n".repeat(1_024), Collections.nCopies(1_024, 7L)),
                Arguments.of("deep list", "*1\r\n".repeat(4) + ":7\r\n", List.of(List.of(List.of(List.of(7L))))),
                Arguments.of("long bytes", bulk(MEBIBYTE), bytes(MEBIBYTE)),
                Arguments.of("long line", "+" + "x".repeat(MEBIBYTE) + "\r\n", bytes(MEBIBYTE)),
                Arguments.of("number of 18 digits", ":" + "9".repeat(18) + "\r\n", 999_999_999_999_999_999L),
                Arguments.of("negative one", ":-" + "9".repeat(18) + "\r\n", -999_999_999_999_999_999L));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void refusesWhatIsTooMuch(String what, String reply) {
        assertThatThrownBy(() -> new ReplyParser().parse(bytesOf(reply)))
                .isInstanceOf(JedisConnectionException.class)
                .hasMessageContaining("does not answer as Redis does");
    }

    static Stream<Arguments> refusesWhatIsTooMuch() {
        return Stream.of(
                Arguments.of("long list", "*1025\r\n" + ":7\r\n".repeat(1_025)),
                Arguments.of("deep list", "*1\r\n".repeat(5) + ":7\r\n"),
                Arguments.of("long bytes", bulk(MEBIBYTE + 1)),
                Arguments.of("long bytes in two parts", "*2\r\n" + bulk(MEBIBYTE / 2) + bulk(MEBIBYTE / 2 + 1)),
                Arguments.of("long line", "+" + "x".repeat(MEBIBYTE + 1) + "\r\n"),
                Arguments.of("number of 19 digits", ":" + "1".repeat(19) + "\r\n"));
    }

    @Test
    void eachReplyMayBeAsLongAsTheOneBefore() {
        ReplyParser parser = new ReplyParser();
        ByteBuffer both = bytesOf(bulk(MEBIBYTE) + bulk(MEBIBYTE));
        assertThat(parser.parse(both)).isTrue();
        assertThat(parser.reply()).isEqualTo(bytes(MEBIBYTE));
        assertThat(parser.parse(both)).isTrue();
        assertThat(parser.reply()).isEqualTo(bytes(MEBIBYTE));
    }

    @Test
    void bytesThatDoNotComeAtOnceEndWhereTheyEnd() {
        List<?> parts = (List<?>) Objects.requireNonNull(read("*3\r\n" + bulk(10_000) + bulk(9_000) + ":7\r\n"));
        assertThat(parts.get(0)).isEqualTo(bytes(10_000));
        assertThat(parts.get(1)).isEqualTo(bytes(9_000));
        assertThat(parts.get(2)).isEqualTo(7L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "$3\r\nab", "$3\r\n", "+OK", ":1", "*2\r\n:1\r\n"})
    void aReplyThatBreaksOffIsNotComplete(String reply) {
        assertThat(new ReplyParser().parse(bytesOf(reply))).isFalse();
    }

    @Test
    void aReplyIsTheSameHoweverItsBytesArrive() {
        String reply = "*4\r\n$3\r\na\r\n\r\n+OK\r\n:-7\r\n*2\r\n$0\r\n\r\n$-1\r\n";
        Object whole = read(reply);
        ReplyParser parser = new ReplyParser();
        ByteBuffer all = bytesOf(reply);
        while (all.remaining() > 1) {
            assertThat(parser.parse(ByteBuffer.wrap(new byte[] {all.get()}))).isFalse();
        }
        assertThat(parser.parse(all)).isTrue();
        assertThat(parser.reply()).usingRecursiveComparison().isEqualTo(whole);
    }

    @Test
    void readsWhatVersionThreeOfTheProtocolAdds() {
        assertThat(read("_\r\n")).isNull();
        assertThat(read("#t\r\n")).isEqualTo(1L);
        assertThat(read("%1\r\n$1\r\na\r\n:1\r\n"))
                .usingRecursiveComparison()
                .isEqualTo(List.of(bytesOf("a").array(), 1L));
        assertThat(read("=7\r\ntxt:abc\r\n")).isEqualTo(bytesOf("abc").array());
        assertThat(read("!5\r\nERR x\r\n")).isInstanceOf(JedisDataException.class);
        ReplyParser parser = new ReplyParser();
        assertThat(parser.parse(bytesOf(">1\r\n:1\r\n"))).isTrue();
        assertThat(parser.isPush()).isTrue();
    }

    @Test
    void aScriptThatIsNotLoadedIsDistinguishableFromOtherErrors() {
        assertThat(read("-NOSCRIPT No matching script.\r\n"))
                .isInstanceOfSatisfying(
                        JedisNoScriptException.class,
                        error -> assertThat(error.getMessage()).isEqualTo("NOSCRIPT No matching script."));
        assertThat(read("-ERR x\r\n")).isExactlyInstanceOf(JedisDataException.class);
    }

    private static @Nullable Object read(String reply) {
        ReplyParser parser = new ReplyParser();
        ByteBuffer bytes = bytesOf(reply);
        assertThat(parser.parse(bytes)).isTrue();
        assertThat(bytes.hasRemaining()).isFalse();
        return parser.reply();
    }

    private static ByteBuffer bytesOf(String text) {
        return ByteBuffer.wrap(text.getBytes(ISO_8859_1));
    }

    private static String bulk(int size) {
        return "$" + size + "\r\n" + "x".repeat(size) + "\r\n";
    }

    private static byte[] bytes(int size) {
        return "x".repeat(size).getBytes(ISO_8859_1);
    }
}
