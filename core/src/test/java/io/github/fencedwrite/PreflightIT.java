package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.Finding.Kind;
import io.github.fencedwrite.Finding.Severity;
import io.github.fencedwrite.examples.servers.Proxy;
import io.github.fencedwrite.examples.servers.RedisNode;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Protocol;

/** What the preflight finds, and the rights that a user needs. */
@Tag("jedis")
class PreflightIT {

    private static final String README = readme();

    /** The README's minimum ACL, word for word. */
    private static final String RIGHTS = README.substring(
                    README.indexOf("    ~fenced-write:*"), README.indexOf("`+select` if"))
            .strip()
            .replaceAll("\\s+", " ");

    private static final Duration TTL = Duration.ofSeconds(5);

    @RegisterExtension
    final TestNodes nodes = new TestNodes(3);

    /** With time enough for each answer: a slow one would be a finding, too. */
    private FencedLocksBuilder builder() {
        return nodes.builder().nodeTimeout(Duration.ofSeconds(5));
    }

    private static List<Kind> kinds(List<Finding> findings, Severity atLeast) {
        return findings.stream()
                .filter(finding -> finding.severity().compareTo(atLeast) <= 0)
                .map(Finding::kind)
                .distinct()
                .toList();
    }

    @Test
    void findsNothingWhenAllIsWell() {
        try (FencedLocks locks = builder().build()) {
            assertThat(locks.preflight()).isEmpty();
        }
        nodes.all().forEach(node -> assertThat(Raw.keys(node)).isEmpty());
    }

    @Test
    void findsAnEvenNumberOfNodesAndOneThatIsDown() {
        nodes.get(1).kill();
        try (FencedLocks locks = builder().nodes(nodes.uris().subList(0, 2)).build()) {
            assertThat(kinds(locks.preflight(), Severity.WARNING)).containsExactly(Kind.EVEN_NUMBER, Kind.UNREACHABLE);
            assertThat(kinds(locks.preflight(), Severity.FATAL)).isEmpty();
        }
    }

    @Test
    void refusesTheSameServerUnderTwoNames() {
        String other = nodes.uris().get(0).replace("127.0.0.1", "localhost");
        assertThatThrownBy(() -> builder()
                        .nodes(nodes.uris().get(0), other, nodes.uris().get(1))
                        .build())
                .isInstanceOfSatisfying(
                        PreflightException.class,
                        e -> assertThat(kinds(e.findings(), Severity.FATAL)).containsExactly(Kind.SAME_SERVER));
    }

    @Test
    void refusesAReplica() {
        replicate(nodes.get(1), nodes.get(0));
        assertThatThrownBy(() -> builder().build())
                .isInstanceOfSatisfying(
                        PreflightException.class,
                        e -> assertThat(kinds(e.findings(), Severity.FATAL)).containsExactly(Kind.REPLICA));
        try (FencedLocks locks = builder().preflight(PreflightMode.REPORT).build();
                Lease lease = locks.acquire("r", TTL, Duration.ZERO)) {
            assertThat(lease.isValid()).isTrue();
            assertThat(locks.nodeStatuses().get(1).lastFailure().orElseThrow().reason())
                    .isEqualTo(NodeFailure.Reason.READONLY);
        }
    }

    @Test
    void refusesAClusterNode() {
        try (RedisNodes cluster = RedisNodes.start(1, "--cluster-enabled", "yes")) {
            assertThatThrownBy(() -> builder().nodes(cluster.uris()).build())
                    .isInstanceOf(PreflightException.class)
                    .hasMessageContaining("cluster");
        }
    }

    @Test
    void refusesAnEvictionPolicyThatMayDropLocks() {
        try (RedisNodes full = RedisNodes.start(1, "--maxmemory", "50mb", "--maxmemory-policy", "allkeys-lru")) {
            assertThatThrownBy(() -> builder().nodes(full.uris()).build())
                    .isInstanceOf(PreflightException.class)
                    .hasMessageContaining("allkeys-lru")
                    .hasMessageContaining("noeviction");
        }
    }

    @Test
    void refusesToDoWithoutSeedsUnlessEveryWriteReachesTheDisk() {
        assertThatThrownBy(() -> builder().seedMode(SeedMode.ZERO).build())
                .isInstanceOf(PreflightException.class)
                .hasMessageContaining("appendfsync always");
        try (RedisNodes safe = RedisNodes.start(3, "--appendfsync", "always");
                FencedLocks locks =
                        builder().nodes(safe.uris()).seedMode(SeedMode.ZERO).build();
                Lease lease = locks.acquire("r", TTL, Duration.ZERO)) {
            assertThat(lease.token()).isEqualTo(FencingToken.of(1));
        }
    }

    @Test
    void mentionsANodeWithoutAppendOnlyFile() {
        try (RedisNodes volatiles = RedisNodes.start(1, "--appendonly", "no");
                FencedLocks locks = builder().nodes(volatiles.uris()).build()) {
            assertThat(kinds(locks.preflight(), Severity.HINT)).containsExactly(Kind.PERSISTENCE);
            assertThat(kinds(locks.preflight(), Severity.WARNING)).isEmpty();
        }
    }

    @Test
    void mentionsANodeWhoseAnswersTakeMoreThanAQuarterOfTheTimeout() {
        try (Proxy far = Proxy.to(nodes.get(2));
                FencedLocks locks = builder()
                        .nodes(nodes.uris().get(0), nodes.uris().get(1), far.uri())
                        .nodeTimeout(Duration.ofSeconds(1))
                        .build()) {
            assertThat(locks.preflight()).isEmpty();
            far.delay(Duration.ofMillis(150));
            assertThat(kinds(locks.preflight(), Severity.WARNING)).containsExactly(Kind.LATENCY);
        }
    }

    @Test
    void mentionsANodeThatRefusesToWork() {
        try (FencedLocks locks = builder().build()) {
            Raw.on(nodes.get(2), jedis -> jedis.configSet("maxmemory", "1"));
            assertThat(kinds(locks.preflight(), Severity.WARNING)).containsExactly(Kind.NODE_ERROR);
        }
    }

    @Test
    void aUserWithExactlyTheDocumentedRightsCanDoEverything() {
        nodes.all().forEach(node -> grant(node, RIGHTS));
        try (FencedLocks a = builder().nodes(uris()).build();
                FencedLocks b = builder().nodes(uris()).build()) {
            assertThat(a.preflight()).isEmpty();
            Lease lease = a.acquire(
                    LeaseRequest.of("r", Duration.ofMillis(300)).renewFor(Duration.ofSeconds(20)), Duration.ZERO);
            assertThat(lease.reportStale(lease.token().value() + 5)).isEqualTo(StaleVerdict.LIFTED);
            CompletableFuture<Lease> waiting = b.acquireAsync(LeaseRequest.of("r", TTL), TTL);
            await().until(() -> Raw.onAll(
                            nodes,
                            jedis -> jedis.pubsubChannels("fenced-write:r:free").size())
                    .contains(1));
            assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
            waiting.orTimeout(2, TimeUnit.SECONDS).join().close();
        }
        // CONFIG GET is optional
        assertThat(Raw.onAll(nodes, jedis -> jedis.aclLog().size())).allMatch(denials -> denials <= 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+time",
                "+script|load",
                "+evalsha",
                "+get",
                "+set",
                "+incr",
                "+del",
                "+pttl",
                "+pexpire",
                "~fenced-write:*"
            })
    void aMissingRightIsFoundAtStartNotAtTheFirstRelease(String right) {
        String rights = Arrays.stream(RIGHTS.split(" "))
                .filter(granted -> !granted.equals(right))
                .reduce("", (all, one) -> all + " " + one)
                .trim();
        nodes.all().forEach(node -> grant(node, rights));
        assertThatThrownBy(() -> builder().nodes(uris()).build())
                .isInstanceOfSatisfying(
                        PreflightException.class,
                        e -> assertThat(kinds(e.findings(), Severity.FATAL)).containsExactly(Kind.PERMISSION));
    }

    @Test
    void withoutTheRightToPublishLocksWorkAndAWarningSaysThatWaitersAreNotWoken() {
        nodes.all().forEach(node -> grant(node, RIGHTS.replace("&fenced-write:* ", "")));
        try (FencedLocks locks = builder().nodes(uris()).build()) {
            assertThat(kinds(locks.preflight(), Severity.WARNING)).containsExactly(Kind.PERMISSION);
            assertThat(locks.acquire("r", TTL, Duration.ZERO).release()).isEqualTo(ReleaseResult.RELEASED);
        }
    }

    @Test
    void theReadmeExplainsEachKindOfFinding() {
        assertThat(Kind.values())
                .allSatisfy(kind -> assertThat(README).containsPattern("\\| `" + kind + "` \\| \\w+.* \\| .{20,} \\|"));
    }

    private static String readme() {
        try {
            return Files.readString(Path.of("README.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> uris() {
        return nodes.uris().stream()
                .map(uri -> uri.replace("redis://", "redis://app:pw@"))
                .toList();
    }

    private static void grant(RedisNode node, String rights) {
        List<String> rules = new ArrayList<>(List.of("reset", "on", ">pw", "resetchannels"));
        rules.addAll(List.of(rights.split(" ")));
        Raw.on(node, jedis -> jedis.aclSetUser("app", rules.toArray(String[]::new)));
    }

    private static void replicate(RedisNode replica, RedisNode master) {
        Raw.on(
                replica,
                jedis -> jedis.sendCommand(Protocol.Command.REPLICAOF, master.host(), Integer.toString(master.port())));
    }
}
