package io.github.fencedwrite.examples.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RespFramesTest {

    private static final List<String> FRAMES = List.of(
            "+OK\r\n",
            "-ERR no\r\n",
            ":12\r\n",
            "$5\r\nhello\r\n",
            "$0\r\n\r\n",
            "$-1\r\n",
            "$9\r\n+OK\r\n:1\r\n\r\n",
            "*0\r\n",
            "*-1\r\n",
            "*2\r\n$3\r\nGET\r\n$1\r\nk\r\n",
            "*3\r\n:1\r\n*2\r\n+a\r\n$1\r\nb\r\n*0\r\n",
            "_\r\n",
            "#t\r\n",
            ",1.5\r\n",
            "(12345678901234567890123456789\r\n",
            "!5\r\nERR x\r\n",
            "=7\r\ntxt:abc\r\n",
            "%2\r\n+a\r\n:1\r\n+b\r\n*1\r\n:2\r\n",
            "~1\r\n+x\r\n",
            ">2\r\n+pubsub\r\n$1\r\nm\r\n",
            "|1\r\n+ttl\r\n:3\r\n$2\r\nhi\r\n",
            "PING\r\n",
            "SET a 1\r\n");

    static List<String> frames() {
        return FRAMES;
    }

    @ParameterizedTest
    @MethodSource("frames")
    void endsAFrameWithItsLastByte(String frame) {
        ByteBuffer bytes = bytes(frame + "+next\r\n");
        RespFrames frames = new RespFrames();
        assertThat(frames.skip(bytes)).isTrue();
        assertThat(bytes.position()).isEqualTo(frame.length());
        assertThat(frames.atStart()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("frames")
    void endsNoFrameBeforeItsLastByte(String frame) {
        RespFrames frames = new RespFrames();
        for (int i = 0; i < frame.length(); i++) {
            boolean isLast = i == frame.length() - 1;
            assertThat(frames.skip(bytes(frame.substring(i, i + 1)))).isEqualTo(isLast);
            assertThat(frames.atStart()).isEqualTo(isLast);
        }
    }

    @Test
    void findsAllFramesHoweverTheStreamIsCut() {
        long seed = Seed.fresh();
        Random random = new Random(seed);
        for (int round = 0; round < 2_000; round++) {
            List<Integer> ends = new ArrayList<>();
            StringBuilder stream = new StringBuilder();
            for (int i = random.nextInt(20); i >= 0; i--) {
                stream.append(FRAMES.get(random.nextInt(FRAMES.size())));
                ends.add(stream.length());
            }
            assertThat(endsFound(stream.toString(), random)).as("seed %d", seed).isEqualTo(ends);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"$x\r\n", "*?\r\n", "$\r\n"})
    void refusesWhatHasNoLength(String noResp) {
        assertThatThrownBy(() -> new RespFrames().skip(bytes(noResp))).isInstanceOf(IllegalArgumentException.class);
    }

    private static List<Integer> endsFound(String stream, Random random) {
        List<Integer> ends = new ArrayList<>();
        RespFrames frames = new RespFrames();
        for (int from = 0; from < stream.length(); ) {
            int to = Math.min(stream.length(), from + 1 + random.nextInt(12));
            ByteBuffer piece = bytes(stream.substring(from, to));
            while (piece.hasRemaining()) {
                if (frames.skip(piece)) {
                    ends.add(from + piece.position());
                }
            }
            from = to;
        }
        return ends;
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
