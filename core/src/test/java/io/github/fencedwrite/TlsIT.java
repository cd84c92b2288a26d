package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.NodeFailure.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that are reached over TLS, with an authority of our own in the place of the JVM's trust store. */
@Tag("jedis")
class TlsIT {

    private static final Duration TTL = Duration.ofSeconds(20);

    @RegisterExtension
    static final TestNodes nodes = new TestNodes(3);

    @TempDir
    static Path directory;

    private static Certificates ours;
    private static SSLContext before;

    @BeforeAll
    static void trustOurAuthority() throws IOException, InterruptedException, GeneralSecurityException {
        before = SSLContext.getDefault();
        ours = new Certificates(directory.resolve("ours.p12"));
        SSLContext.setDefault(ours.client());
    }

    @AfterAll
    static void trustWhatWasTrustedBefore() {
        SSLContext.setDefault(before);
    }

    @Test
    void nodesWithACertificateOfATrustedAuthorityAreUsed()
            throws IOException, InterruptedException, GeneralSecurityException {
        SSLContext server = ours.server("ip:127.0.0.1");
        try (TlsRelay one = new TlsRelay(server, nodes.get(0));
                TlsRelay two = new TlsRelay(server, nodes.get(1));
                TlsRelay three = new TlsRelay(server, nodes.get(2));
                FencedLocks locks = client(one.uri(), two.uri(), three.uri())) {
            try (Lease lease = locks.acquire("r", TTL, Duration.ZERO)) {
                assertThat(lease.isValid()).isTrue();
                await().untilAsserted(() ->
                        nodes.all().forEach(node -> assertThat(Raw.locks(node)).hasSize(1)));
            }
            nodes.awaitNoLocks();
            assertThat(locks.nodeStatuses()).allMatch(NodeStatus::up);
        }
    }

    @Test
    void aCertificateOfAnotherAuthorityIsAVoteOfNoWithItsOwnReason()
            throws IOException, InterruptedException, GeneralSecurityException {
        Certificates others = new Certificates(directory.resolve("others.p12"));
        try (TlsRelay relay = new TlsRelay(others.server("ip:127.0.0.1"), nodes.get(0))) {
            refused(relay.uri(), Reason.CERTIFICATE);
        }
    }

    @Test
    void aCertificateForAnotherHostIsAVoteOfNoWithItsOwnReason()
            throws IOException, InterruptedException, GeneralSecurityException {
        try (TlsRelay relay = new TlsRelay(ours.server("dns:elsewhere.example"), nodes.get(0))) {
            refused(relay.uri(), Reason.CERTIFICATE);
        }
    }

    @Test
    void aServerThatSpeaksNoTlsIsAVoteOfNo() {
        // Redis waits for the end of what it takes for a command, unless that happens to contain one
        refused(nodes.uris().get(0).replace("redis://", "rediss://"), Reason.TIMED_OUT, Reason.TLS);
    }

    private static void refused(String uri, Reason... reasons) {
        try (FencedLocks locks = client(uri)) {
            assertThatThrownBy(() -> locks.acquire("r", TTL, Duration.ZERO))
                    .isInstanceOfSatisfying(
                            LockNotAcquiredException.class,
                            e -> assertThat(e.nodeFailures().values())
                                    .hasSize(1)
                                    .extracting(NodeFailure::reason)
                                    .isSubsetOf(reasons));
        }
        assertThat(Raw.keys(nodes.get(0))).isEmpty();
    }

    private static FencedLocks client(String... uris) {
        // a first handshake in a cold JVM takes its time
        return nodes.builder()
                .nodes(uris)
                .nodeTimeout(Duration.ofSeconds(5))
                .preflight(PreflightMode.REPORT)
                .build();
    }
}
