package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.examples.servers.RedisNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whatever names resources have, two of them never meet in one key. */
class NamesIT {

    private static final String[] PARTS = {
        ":",
        "lock",
        "token",
        "run",
        "free",
        "{",
        "}",
        " ",
        "\n",
        "*",
        "?",
        "[a]",
        "\u00e9",
        "e\u0301",
        "\ud83d\ude80",
        "fenced-write",
        "membership",
        "\"",
        "\\",
        "a"
    };

    @Test
    void noTwoNamesMeet() {
        Random random = new Random(Seed.of(this));
        Set<String> names =
                new HashSet<>(List.of("a", "a:lock", "a:token", "a:lock:lock", "{a}", "{a", "A", "membership"));
        while (names.size() < 200) {
            StringBuilder name = new StringBuilder();
            for (int i = random.nextInt(4); i >= 0; i--) {
                name.append(PARTS[random.nextInt(PARTS.length)]);
            }
            names.add(name.toString());
        }
        names.add("x".repeat(1_024));
        try (RedisNodes nodes = RedisNodes.start(1);
                FencedLocks locks = FencedLocks.builder()
                        .nodes(nodes.uris())
                        .quarantine(false)
                        .build()) {
            List<Lease> held = new ArrayList<>();
            for (String name : names) {
                held.add(locks.acquire(name, Duration.ofSeconds(30), Duration.ZERO));
            }
            assertThat(Raw.keys(nodes.get(0))).hasSize(3 * names.size());
            for (Lease lease : held) {
                assertThat(lease.release()).as(lease.resource()).isEqualTo(ReleaseResult.RELEASED);
            }
            assertThat(Raw.locks(nodes.get(0)).stream().filter(key -> !key.endsWith(":token") && !key.endsWith(":run")))
                    .isEmpty();
        }
    }

    @Test
    void prefixesKeepApplicationsApart() {
        try (RedisNodes nodes = RedisNodes.start(1);
                FencedLocks a = client(nodes, "a");
                FencedLocks b = client(nodes, "a.b");
                Lease one = a.acquire("b:r", Duration.ofSeconds(5), Duration.ZERO);
                Lease two = b.acquire("b:r", Duration.ofSeconds(5), Duration.ZERO)) {
            assertThat(one.isValid() && two.isValid()).isTrue();
        }
    }

    private static FencedLocks client(RedisNodes nodes, String prefix) {
        return FencedLocks.builder()
                .nodes(nodes.uris())
                .prefix(prefix)
                .quarantine(false)
                .build();
    }
}
