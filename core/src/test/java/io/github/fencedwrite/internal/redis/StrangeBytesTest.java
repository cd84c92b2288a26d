package io.github.fencedwrite.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.examples.servers.RandomInputs;
import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Command;
import io.github.fencedwrite.internal.protocol.OwnerId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** Any bytes are a reply, the beginning of one or an exception, and any reply to any command is an answer of the protocol. */
class StrangeBytesTest {

    private static final List<String> PIECES = List.of(
            ":",
            "$",
            "*",
            "+",
            "-",
            "\r\n",
            "\r\n",
            "\r\n",
            "\r",
            "\n",
            "0",
            "1",
            "2",
            "3",
            "-1",
            "9999999999",
            "2147483647",
            "OK",
            "ERR x",
            "NOSCRIPT",
            "\0",
            "a",
            "$3\r\nabc\r\n",
            ":1\r\n",
            "*2\r\n",
            "*1\r\n",
            "$1\r\n1\r\n",
            "$-1\r\n",
            ",",
            "#",
            "_");
    private static final OwnerId OWNER = new OwnerId("owner");
    private static final List<Command> COMMANDS = List.of(
            new Command.Acquire(OWNER, 1, 0),
            new Command.Raise(OWNER, 1),
            new Command.Lift(1),
            new Command.TopUp(OWNER, 1, 1),
            new Command.Extend(OWNER, 1, 1),
            new Command.Release(OWNER));

    @Test
    void areAReplyOrAnExceptionAndEachReplyIsAnAnswer() throws InterruptedException {
        RandomInputs.forEach("StrangeBytesTest", 20_000, random -> {
            String bytes = Stream.generate(() -> PIECES.get(random.nextInt(PIECES.size())))
                    .limit(1 + random.nextInt(12))
                    .collect(Collectors.joining());
            ReplyParser parser = new ReplyParser();
            try {
                if (!parser.parse(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1)))) {
                    return;
                }
            } catch (JedisException broken) {
                assertThat(Replies.failure(broken).detail()).isNotBlank();
                return;
            }
            assertSound(COMMANDS.get(random.nextInt(COMMANDS.size())), parser.reply());
        });
    }

    private static void assertSound(Command command, @Nullable Object reply) {
        Answer answer = Replies.answer(command, reply);
        if (answer instanceof Answer.Granted granted) {
            assertThat(granted.counter()).isBetween(1L, (1L << 53) - 1);
        }
        assertThat(ServerInfo.fields(reply)).isNotNull();
    }

    @Test
    void readsWhatRedisSends() {
        assertThat(read(":-42\r\n")).isEqualTo(-42L);
        assertThat(read(":9007199254740991\r\n")).isEqualTo(9007199254740991L);
        assertThat(read("+OK\r\n")).isEqualTo(new byte[] {'O', 'K'});
        assertThat(read("$0\r\n\r\n")).isEqualTo(new byte[0]);
        assertThat(read("$-1\r\n")).isNull();
        assertThat(read("*-1\r\n")).isNull();
        assertThat((List<?>) read("*2\r\n:1\r\n*1\r\n$-1\r\n")).hasSize(2);
        assertThat((List<?>) read("*1\r\n-ERR x\r\n")).singleElement().isInstanceOf(JedisDataException.class);
    }

    private static @Nullable Object read(String bytes) {
        ReplyParser parser = new ReplyParser();
        assertThat(parser.parse(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1))))
                .isTrue();
        return parser.reply();
    }
}
