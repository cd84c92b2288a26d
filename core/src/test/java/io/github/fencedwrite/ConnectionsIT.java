package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.JedisClientConfig;

/** Connections as people configure them with Jedis, and an SSL context of a client's own. */
@Tag("jedis")
class ConnectionsIT {

    private static final Duration TTL = Duration.ofSeconds(20);

    @RegisterExtension
    final TestNodes nodes = new TestNodes(1);

    private FencedLocksBuilder builder() {
        return nodes.builder().nodeTimeout(Duration.ofSeconds(5));
    }

    @Test
    void aCredentialsProviderIsAskedAtEachConnection() {
        AtomicReference<String> password = new AtomicReference<>("first");
        allow("first");
        JedisClientConfig config = DefaultJedisClientConfig.builder()
                .credentialsProvider(() -> new DefaultRedisCredentials("app", password.get()))
                .build();
        try (FencedLocks locks = builder().clientConfig(config).build()) {
            locks.acquire("r", TTL, Duration.ZERO).close();
            password.set("second");
            allow("second");
            // ends the connection that logged in with the first password
            Raw.on(
                    nodes.get(0),
                    jedis -> jedis.sendCommand(redis.clients.jedis.Protocol.Command.CLIENT, "KILL", "USER", "app"));
            locks.acquire("r", TTL, Duration.ofSeconds(10)).close();
            assertThat(users()).containsExactly("app");
        }
    }

    private void allow(String password) {
        Raw.on(nodes.get(0), jedis -> jedis.aclSetUser("app", "on", "resetpass", ">" + password, "~*", "&*", "+@all"));
    }

    private List<String> users() {
        return clients().stream()
                .map(line -> line.replaceAll(".* user=(\\S+).*", "$1"))
                .filter(user -> !user.equals("default"))
                .distinct()
                .toList();
    }

    private List<String> clients() {
        return Raw.on(nodes.get(0), jedis -> jedis.clientList().lines().toList());
    }

    @Test
    void whatTheAddressSaysComesFirst() {
        allow("right");
        JedisClientConfig config =
                DefaultJedisClientConfig.builder().user("app").password("wrong").build();
        String uri = nodes.uris().get(0).replace("redis://", "redis://app:right@");
        try (FencedLocks locks = builder().nodes(uri).clientConfig(config).build()) {
            locks.acquire("r", TTL, Duration.ZERO).close();
        }
        assertThatThrownBy(() -> builder().clientConfig(config).build())
                .isInstanceOf(PreflightException.class)
                .hasMessageContaining("LOGIN");
    }

    @Test
    void aProviderThatFailsIsTheReasonOfTheNode() {
        JedisClientConfig config = DefaultJedisClientConfig.builder()
                .credentialsProvider(() -> {
                    throw new IllegalStateException("the vault is sealed");
                })
                .build();
        assertThatThrownBy(() -> builder().clientConfig(config).build())
                .isInstanceOf(PreflightException.class)
                .hasMessageContaining(
                        "the credentials provider of the application failed: java.lang.IllegalStateException: the vault is"
                                + " sealed.");
    }

    @Test
    void theClientNameAndTheDatabaseAreThoseOfTheConfiguration() {
        JedisClientConfig config = DefaultJedisClientConfig.builder()
                .clientName("orders")
                .database(3)
                .build();
        try (FencedLocks locks = builder().clientConfig(config).build();
                Lease lease = locks.acquire("r", TTL, Duration.ZERO)) {
            assertThat(lease.isValid()).isTrue();
            assertThat(clients()).anyMatch(line -> line.contains(" name=orders ") && line.contains(" db=3 "));
            assertThat(locks.nodeStatuses().get(0).node()).isEqualTo(nodes.name(0) + "/3");
        }
    }

    @Test
    void anSslContextIsThatOfTheClientAlone(@TempDir Path directory) throws Exception {
        Certificates ours = new Certificates(directory.resolve("ours.p12"));
        try (TlsRelay relay = new TlsRelay(ours.server("ip:127.0.0.1"), nodes.get(0))) {
            SSLContext context = ours.client();
            try (FencedLocks locks =
                            builder().nodes(relay.uri()).sslContext(context).build();
                    Lease lease = locks.acquire("r", TTL, Duration.ZERO)) {
                assertThat(lease.isValid()).isTrue();
            }
            assertThatThrownBy(() -> builder().nodes(relay.uri()).build())
                    .isInstanceOf(PreflightException.class)
                    .hasMessageContaining("CERTIFICATE");
            // TLS by the configuration instead of the address
            JedisClientConfig config =
                    DefaultJedisClientConfig.builder().ssl(true).build();
            String plain = relay.uri().replace("rediss://", "redis://");
            try (FencedLocks locks = builder()
                    .nodes(plain)
                    .clientConfig(config)
                    .sslContext(context)
                    .build()) {
                locks.acquire("r", TTL, Duration.ZERO).close();
            }
        }
        await().untilAsserted(() -> assertThat(Raw.locks(nodes.get(0))).isEmpty());
    }

    @Test
    void whatCannotBeUsedIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder()
                        .clientConfig(DefaultJedisClientConfig.builder()
                                .hostnameVerifier(HttpsURLConnection.getDefaultHostnameVerifier())
                                .build()))
                .withMessageStartingWith("An SSLSocketFactory and a HostnameVerifier cannot be used. Set the context");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder()
                        .clientConfig(DefaultJedisClientConfig.builder()
                                .clientName("a\nb")
                                .build()))
                .withMessage("A client name is printable ASCII without blanks, but this one is \"a\\nb\".");
        for (String label : List.of(" x", "x ", "a\nb", "\u00e9", "x".repeat(201))) {
            assertThatIllegalArgumentException().isThrownBy(() -> builder().holderLabel(label));
        }
    }
}
