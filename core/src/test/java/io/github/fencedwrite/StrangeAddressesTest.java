package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.examples.servers.RandomInputs;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Any text is an address of a node or refused, and no message shows a password. */
class StrangeAddressesTest {

    private static final String PASSWORD = "s3cret";
    private static final List<String> SCHEMES = List.of(
            "redis://", "rediss://", "REDIS://", "redis:", "http://", "unix://", "", "redis:///", "://", "1://");
    private static final List<String> HOSTS = List.of(
            "h",
            "127.0.0.1",
            "[::1]",
            "[::1",
            "::1",
            "a_b",
            "ä.example",
            "h.",
            "-",
            "",
            " ",
            "%41",
            "xn--4ca",
            "0",
            "h\0");
    private static final List<String> BEFORE =
            List.of("", "user:", ":", "user%3A:", "u:s:", "us er:", "u:1/", "u:0/", "u/:");
    private static final List<String> AFTER =
            List.of("", "/", "?", "#", "%", "%zz", ":", "@", " ", "\\", "\ud800", "//9");
    private static final List<String> PORTS =
            List.of("", ":6379", ":0", ":65536", ":-1", ":", ":x", ":00006379", ":99999999999", ":6379:6379", ":63 79");
    private static final List<String> PATHS = List.of(
            "", "/", "/0", "/15", "/-1", "/x", "/99999", "/100000", "//", "/1/2", "/\u0661", "?a=b", "#f", "/ ");

    @Test
    void areReadOrRefusedAndNoMessageShowsAPassword() throws InterruptedException {
        RandomInputs.forEach("StrangeAddressesTest", 20_000, random -> {
            String uri = random.nextInt(10) == 0 ? characters(random) : address(random);
            try {
                FencedLocks.builder().nodes(uri);
            } catch (IllegalArgumentException refusal) {
                assertThat(allThatIsSaid(refusal)).as(uri).doesNotContain(PASSWORD);
            }
        });
    }

    private static String address(SplittableRandom random) {
        String login = random.nextInt(3) == 0
                ? ""
                : pick(random, BEFORE) + pick(random, AFTER) + PASSWORD + pick(random, AFTER) + "@";
        return pick(random, SCHEMES.subList(0, random.nextBoolean() ? 2 : SCHEMES.size()))
                + login
                + pick(random, HOSTS)
                + pick(random, PORTS)
                + pick(random, PATHS);
    }

    private static String characters(SplittableRandom random) {
        return Stream.generate(() -> random.nextInt(3) == 0 ? "redis://" : String.valueOf((char) random.nextInt(0x180)))
                .limit(random.nextInt(12))
                .collect(Collectors.joining());
    }

    private static String allThatIsSaid(Throwable thrown) {
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }

    private static String pick(SplittableRandom random, List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
