package io.github.fencedwrite;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** What a server may answer that is no Redis, or a broken one. */
final class StrangeReplies {

    private static final List<String> FIXED = List.of(
            "+OK",
            "+",
            "+PONG",
            "-",
            "-ERR",
            "-ERR x",
            "-MOVED 1 h:1",
            "-MOVED x",
            "-ASK",
            "-ASK 1 :",
            "-CLUSTERDOWN",
            "-BUSY x",
            "-NOAUTH x",
            "-WRONGPASS x",
            "-NOSCRIPT x",
            "-NOPERM x",
            "-LOADING x",
            "-OOM x",
            "-MISCONF x",
            "-READONLY x",
            "-FENCEDWRITE x",
            "-UNBLOCKED x",
            "-\0",
            ":0",
            ":1",
            ":2",
            ":-1",
            ":-2",
            ":",
            ":x",
            ":1.5",
            ":9007199254740992",
            ":9223372036854775807",
            ":9223372036854775808",
            ":99999999999999999999",
            ":+1",
            ":0x10",
            "$-1",
            "$-2",
            "$0\r\n",
            "$1\r\nx",
            "$1\r\nxy",
            "$3\r\n-99",
            "$3\r\nabc",
            "$20\r\n99999999999999999999",
            "$19\r\n9223372036854775807",
            "$4\r\n-1.5",
            "$x",
            "$",
            "$2147483647\r\nab",
            "$536870912\r\nab",
            "$4294967296\r\nab",
            "$-2147483648",
            "*-1",
            "*0",
            "*-2",
            "*1\r\n:1",
            "*2\r\n:1\r\n:2",
            "*2\r\n$1\r\nx\r\n$1\r\ny",
            "*2\r\n$-1\r\n$-1",
            "*1\r\n-ERR x",
            "*3\r\n$7\r\nmessage\r\n$1\r\nx\r\n$0\r\n",
            "*2147483647\r\n:1",
            "*1000000000\r\n:1",
            "*99999999999\r\n",
            "*x",
            "_",
            "#t",
            ",1.5",
            "(1",
            "!3\r\nERR",
            "=3\r\ntxt",
            "%1\r\n:1\r\n:2",
            "~1\r\n:1",
            ">2\r\n:1\r\n:2",
            "|1\r\n:1\r\n:2",
            "",
            "\r",
            "\n",
            "\0",
            "HTTP/1.1 400 Bad Request\r\n",
            "\u00ff\u00fe",
            " :1",
            ":1 ",
            ": 1");

    private final SplittableRandom random;

    StrangeReplies(SplittableRandom random) {
        this.random = random;
    }

    /**
     * What is sent instead of a right reply.
     *
     * @param bytes sent at once
     * @param forEver sent again and again behind them, until the client has had enough; empty for nothing
     * @param hangUp whether the connection is closed behind all that
     */
    record Strange(byte[] bytes, byte[] forEver, boolean hangUp) {}

    Strange insteadOf(byte[] right) {
        return switch (random.nextInt(12)) {
            case 0 -> once(Arrays.copyOf(right, random.nextInt(right.length + 1)), random.nextInt(8) > 0);
            case 1 -> once(damaged(right), false);
            case 2 -> once(bytes("*1\r\n".repeat(random.nextInt(10) == 0 ? 100_000 : 1 + random.nextInt(20))), true);
            case 3 ->
                random.nextInt(10) > 0
                        ? once(noise(), true)
                        : new Strange(
                                bytes(pick(List.of(
                                        "+", "-ERR ", "$", "*", ":", "*1\r\n", "$8000000\r\n", "*100000000\r\n"))),
                                bytes(pick(List.of("a", "1", "*1\r\n", ":1\r\n", "$1\r\nx\r\n"))
                                        .repeat(4_096)),
                                true);
            case 4 ->
                once(
                        bytes("-" + pick(List.of("ERR ", "BUSY ", "MOVED ", "")) + "x".repeat(random.nextInt(100_000))
                                + "\r\n"),
                        false);
            case 5 ->
                random.nextInt(20) > 0
                        ? once(new byte[0], true)
                        : once(bytes("$30000000\r\n" + "x".repeat(30_000_000) + "\r\n"), false);
            default -> once(bytes(pick(FIXED) + "\r\n"), random.nextInt(6) == 0);
        };
    }

    private byte[] damaged(byte[] right) {
        byte[] damaged = right.clone();
        for (int edits = 1 + random.nextInt(3); edits > 0 && damaged.length > 0; edits--) {
            damaged[random.nextInt(damaged.length)] =
                    (byte) (random.nextBoolean() ? '0' + random.nextInt(10) : random.nextInt(256));
        }
        return damaged;
    }

    private byte[] noise() {
        byte[] noise = new byte[random.nextInt(60)];
        random.nextBytes(noise);
        return noise;
    }

    private static Strange once(byte[] bytes, boolean hangUp) {
        return new Strange(bytes, new byte[0], hangUp);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    private String pick(List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
