package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What people are told to do when something does not work, word by word. */
class AdviceIT {

    private static final Duration TTL = Duration.ofSeconds(20);

    @RegisterExtension
    static final TestNodes nodes = new TestNodes(3);

    private static FencedLocksBuilder builder() {
        return nodes.builder().nodeTimeout(Duration.ofSeconds(2));
    }

    @Test
    void afterAStartToWaitOrToSwitchTheQuarantineOffInDevelopment() {
        try (FencedLocks locks =
                builder().quarantine(true).maxTtl(Duration.ofHours(1)).build()) {
            assertThat(locks.preflight())
                    .hasSize(3)
                    .allSatisfy(finding -> assertThat(finding.toString())
                            .matches(
                                    "WARNING QUARANTINE on 127.0.0.1:\\d+: it started lately and may have forgotten locks, so it does"
                                            + " not vote for \\d+ ms more. Wait, or use quarantine\\(false\\) for nodes that start empty in"
                                            + " development."));
            assertThatThrownBy(() -> locks.acquire("r", TTL, Duration.ZERO))
                    .message()
                    .matches(
                            "\"r\" was not locked: only [01] of 3 nodes gave a usable answer, and 2 are needed. [23] nodes"
                                    + " started lately and may have forgotten locks: wait, at most \\d+ ms more, or build the client"
                                    + " with quarantine\\(false\\) for nodes that start empty in development..*Nodes without a usable"
                                    + " answer: .*");
        }
    }

    @Test
    void thatThisVeryClientHoldsTheLock() {
        try (FencedLocks locks = builder().build();
                Lease lease = locks.acquire("a\nb", TTL, Duration.ZERO)) {
            String holder = "this client holds it itself, by the lease of \"a\\\\nb\" with token " + lease.token()
                    + ", for \\d+ ms more. Release that lease first, hand it on to those who need it, or wait longer.";
            assertThatThrownBy(() -> locks.acquire("a\nb", TTL, Duration.ZERO))
                    .message()
                    .matches("\"a\\\\nb\" was not locked: " + holder);
            assertThatThrownBy(() -> locks.acquire("a\nb", TTL, Duration.ofMillis(50)))
                    .message()
                    .matches("\"a\\\\nb\" was not locked within \\d+ ms: " + holder);
        }
    }

    @Test
    void thatThePortDoesNotSpeakTls() {
        List<String> uris = List.of(nodes.uris().get(0).replace("redis://", "rediss://"));
        try (FencedLocks locks =
                builder().nodes(uris).nodeTimeout(Duration.ofMillis(500)).build()) {
            assertThat(locks.preflight())
                    .singleElement()
                    .satisfies(finding -> assertThat(finding.message())
                            .contains("no connection with login within 500 ms; does that port speak TLS?"));
        }
    }

    @Test
    void thatThePortExpectsTls(@TempDir Path directory) throws Exception {
        Certificates ours = new Certificates(directory.resolve("ours.p12"));
        try (TlsRelay relay = new TlsRelay(ours.server("ip:127.0.0.1"), nodes.get(0));
                FencedLocks locks = builder()
                        .nodes(relay.uri().replace("rediss://", "redis://"))
                        .build()) {
            assertThat(locks.preflight())
                    .singleElement()
                    .satisfies(finding ->
                            assertThat(finding.message()).contains("does that port expect TLS (rediss://)?"));
        }
    }

    @Test
    void toTrustTheAuthorityOfACertificate(@TempDir Path directory) throws Exception {
        Certificates ours = new Certificates(directory.resolve("ours.p12"));
        try (TlsRelay relay = new TlsRelay(ours.server("ip:127.0.0.1"), nodes.get(0))) {
            assertThatThrownBy(() -> builder().nodes(relay.uri()).build())
                    .isInstanceOf(PreflightException.class)
                    .hasMessageContaining("FATAL CERTIFICATE on 127.0.0.1:")
                    .hasMessageContaining("its certificate is not accepted: ")
                    .hasMessageContaining("unable to find valid certification path")
                    .hasMessageContaining(
                            "Trust its authority (builder.sslContext, or the JVM's trust store), and name the"
                                    + " node as its certificate does.");
        }
        try (TlsRelay relay = new TlsRelay(ours.server("dns:elsewhere.example"), nodes.get(0))) {
            assertThatThrownBy(() -> builder()
                            .nodes(relay.uri())
                            .sslContext(ours.client())
                            .build())
                    .isInstanceOf(PreflightException.class)
                    .hasMessageContaining("its certificate is not accepted: No subject alternative names");
        }
    }

    @Test
    void toGrantAUserWhatEveryConnectionNeeds() {
        Raw.onAll(nodes, jedis -> jedis.aclSetUser("noinfo", "on", ">pw", "~*", "&*", "+@all", "-info"));
        List<String> uris = nodes.uris().stream()
                .map(uri -> uri.replace("redis://", "redis://noinfo:pw@"))
                .toList();
        assertThatThrownBy(() -> builder().nodes(uris).build())
                .isInstanceOf(PreflightException.class)
                .hasMessageContaining("the user lacks a right that every connection needs: NOPERM")
                .hasMessageContaining("'info'")
                .hasMessageContaining("Grant the rights that the module's README lists.");
        Raw.onAll(nodes, jedis -> jedis.aclDelUser("noinfo"));
    }

    @Test
    void whoHoldsTheLockBesidesWaiting() {
        try (FencedLocks holder = builder().holderLabel("web-1 pid 4711").build();
                FencedLocks other = builder().build();
                Lease lease = holder.acquire("r", TTL, Duration.ZERO)) {
            assertThat(lease.isValid()).isTrue();
            CompletableFuture<Lease> waiting = other.acquireAsync(LeaseRequest.of("r", TTL), Duration.ofSeconds(2));
            assertThatThrownBy(waiting::join)
                    .cause()
                    .message()
                    .contains("another owner (web-1 pid 4711) holds it on at least");
        }
    }
}
