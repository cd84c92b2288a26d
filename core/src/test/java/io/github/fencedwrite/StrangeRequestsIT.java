package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.examples.servers.RandomInputs;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Any resource, ttl, wait and lifetime, on a node that may hold anything under the resource's keys: a lease or a documented
 * exception, and no lock afterwards.
 */
class StrangeRequestsIT {

    private static final List<Long> MILLIS = List.of(
            Long.MIN_VALUE, -1L, 0L, 1L, 9L, 10L, 11L, 1_000L, 29_999L, 30_000L, 30_001L, 86_400_001L, Long.MAX_VALUE);
    private static final List<String> PIECES = List.of(
            "a",
            "sku:4711",
            ":lock",
            ":token",
            ":",
            "*",
            "[a]",
            "\\",
            "\r\n",
            "\n",
            "$5",
            " ",
            "\0",
            "é",
            "漢",
            "😀",
            "\ud83d",
            "\ude00",
            "\u202e",
            "\ufffd",
            "{a}",
            "%s",
            "'",
            "\"",
            "0");
    private static final List<String> CONTENTS = List.of(
            "",
            "1",
            "17",
            "-1",
            "abc",
            "1e3",
            "9007199254740990",
            "9007199254740991",
            "9223372036854775807",
            "99999999999999999999",
            " 5",
            "5 ",
            "0005",
            "1.5",
            "\0",
            "nan",
            "inf",
            "0x10");

    @Test
    void endInALeaseOrADocumentedExceptionAndLeaveNoLock() throws InterruptedException {
        try (RedisNodes nodes = RedisNodes.start(1);
                FencedLocks locks = FencedLocks.builder()
                        .nodes(nodes.uris())
                        .quarantine(false)
                        .nodeTimeout(Duration.ofSeconds(5))
                        .build()) {
            RandomInputs.forEach("StrangeRequestsIT", 2_000, random -> {
                String resource = resource(random);
                boolean foreign = random.nextInt(8) == 0 && isSound(resource);
                if (foreign) {
                    spoil(nodes, random, resource);
                }
                ask(locks, random, resource, foreign);
                if (foreign || random.nextInt(500) == 0) {
                    Raw.flush(nodes);
                }
                assertThat(Raw.locks(nodes.get(0))).isEmpty();
            });
        }
    }

    private static void ask(FencedLocks locks, SplittableRandom random, String resource, boolean foreign) {
        try {
            LeaseRequest request = LeaseRequest.of(resource, millis(random));
            Duration wait = Duration.ZERO;
            if (random.nextInt(3) == 0) {
                wait = foreign ? Duration.ofMillis(random.nextInt(20)) : millis(random);
            }
            if (random.nextInt(4) == 0) {
                request = request.renewFor(millis(random));
            }
            if (random.nextInt(4) == 0) {
                request = request.onExpiring(millis(random), lease -> {});
            }
            try (Lease lease = locks.acquire(request, wait)) {
                assertThat(lease.resource()).isEqualTo(resource);
                assertThat(lease.token().value()).isBetween(1L, (1L << 53) - 1);
                if (random.nextInt(4) == 0) {
                    StaleVerdict verdict = lease.reportStale(random.nextLong());
                    assertThat(verdict).isNotNull();
                }
            }
        } catch (IllegalArgumentException | FencedWriteException documented) {
            assertThat(documented).hasMessageMatching("(?s).{20,}");
        }
    }

    /** Puts something foreign in the place of one of the resource's keys. */
    private static void spoil(RedisNodes nodes, SplittableRandom random, String resource) {
        String key = "fenced-write:" + resource + (random.nextInt(4) == 0 ? ":run" : ":token");
        byte[] name = key.getBytes(StandardCharsets.UTF_8);
        byte[] content = pick(random, CONTENTS).getBytes(StandardCharsets.UTF_8);
        Raw.on(nodes.get(0), jedis -> {
            jedis.del(name);
            return switch (random.nextInt(6)) {
                case 0 -> jedis.lpush(name, content);
                case 1 -> jedis.hset(name, content, content);
                case 2 -> jedis.psetex(name, 1 + random.nextInt(5), content);
                default -> jedis.set(name, content);
            };
        });
    }

    private static boolean isSound(String resource) {
        return !resource.isEmpty()
                && StandardCharsets.UTF_8.newEncoder().canEncode(resource)
                && resource.getBytes(StandardCharsets.UTF_8).length <= 1_024;
    }

    private static String resource(SplittableRandom random) {
        int pieces = random.nextInt(10) == 0 ? random.nextInt(1_100) : random.nextInt(8);
        return Stream.generate(() -> pick(random, PIECES)).limit(pieces).collect(Collectors.joining());
    }

    private static Duration millis(SplittableRandom random) {
        long millis = random.nextBoolean() ? 10 + random.nextInt(20_000) : pick(random, MILLIS);
        return millis == Long.MAX_VALUE
                ? Duration.ofSeconds(Long.MAX_VALUE)
                : millis == Long.MIN_VALUE ? Duration.ofSeconds(millis) : Duration.ofMillis(millis);
    }

    private static <T> T pick(SplittableRandom random, List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
