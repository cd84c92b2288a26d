package io.github.fencedwrite;

import io.github.fencedwrite.internal.lease.LeaseClient;
import io.github.fencedwrite.internal.lease.NodeSet;
import io.github.fencedwrite.internal.lease.Settings;
import io.github.fencedwrite.internal.loop.Loop;
import io.github.fencedwrite.internal.loop.SelectorNetwork;
import io.github.fencedwrite.internal.preflight.Preflight;
import io.github.fencedwrite.internal.redis.JedisVersion;
import io.github.fencedwrite.internal.redis.Membership;
import io.github.fencedwrite.internal.redis.Node;
import io.github.fencedwrite.internal.redis.NodeAddress;
import io.github.fencedwrite.internal.redis.NodeLogin;
import io.github.fencedwrite.internal.redis.NodeSettings;
import io.github.fencedwrite.internal.text.Printable;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.SslOptions;

/**
 * Configures a {@link FencedLocks}. All clients that lock the same resources need the same nodes, prefix, maxTtl and seed
 * mode. Not safe for use by several threads at once; can be used to build more than one client.
 */
public final class FencedLocksBuilder {

    private static final Logger log = LoggerFactory.getLogger(FencedLocks.class);
    private static final int MOST_NODES = 31;
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
    private static final Pattern LABEL = Pattern.compile("(?:[!-~](?:[ -~]{0,198}[!-~])?)?");
    private static final Pattern CLIENT_NAME = Pattern.compile("[!-~]*");
    private static final Duration HOUR = Duration.ofHours(1);

    private List<NodeAddress> nodes = List.of();
    private Duration nodeTimeout = Duration.ofMillis(200);
    private double driftFactor = 0.01;
    private Duration driftConstant = Duration.ofMillis(2);
    private String prefix = "fenced-write";
    private Duration maxTtl = Duration.ofSeconds(30);
    private Duration retention = Duration.ofDays(7);
    private SeedMode seedMode = SeedMode.CLOCK;
    private boolean quarantine = true;
    private Duration maxLifetime = HOUR;
    private boolean releaseOnClose = true;
    private String label = "";
    private @Nullable JedisClientConfig clientConfig;
    private @Nullable SSLContext sslContext;
    private PreflightMode preflight = PreflightMode.REFUSE;
    private LeaseListener listener = new LeaseListener() {};
    private @Nullable Executor callbacks;

    FencedLocksBuilder() {}

    /**
     * The nodes, each an independent Redis server 6.2 or later: a master without automatic failover, no cluster. Required.
     *
     * @param uris 1 to 31 different addresses {@code redis://[user:password@]host[:port][/database]}, {@code rediss://} for
     *     TLS with what the JVM's default {@link javax.net.ssl.SSLContext} trusts; an odd number is best
     * @throws IllegalArgumentException if an address cannot be read or one is given twice
     */
    public FencedLocksBuilder nodes(String... uris) {
        return nodes(List.of(uris));
    }

    /** As {@link #nodes(String...)}. */
    public FencedLocksBuilder nodes(List<String> uris) {
        if (uris.isEmpty() || uris.size() > MOST_NODES) {
            throw new IllegalArgumentException(
                    "A client has 1 to " + MOST_NODES + " nodes, but here are " + uris.size() + ".");
        }
        List<NodeAddress> parsed = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String uri : uris) {
            NodeAddress address = parse(uri, parsed.size(), uris.size());
            if (!seen.add(address.host().toLowerCase(Locale.ROOT) + ":" + address.port())) {
                throw new IllegalArgumentException("The server " + address.name()
                        + " is given twice; its vote would count double. Give each server once.");
            }
            parsed.add(address);
        }
        this.nodes = List.copyOf(parsed);
        return this;
    }

    /** Says which of the addresses is bad, by its position: an address that cannot be read may be a password in part. */
    private static NodeAddress parse(String uri, int before, int all) {
        try {
            return NodeAddress.parse(uri);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Address " + (before + 1) + " of " + all + ": " + e.getMessage());
        }
    }

    /**
     * How long one node may take to connect and log in, or for one answer. Default 200 ms.
     *
     * @throws IllegalArgumentException unless 1 ms to 10 s
     */
    public FencedLocksBuilder nodeTimeout(Duration timeout) {
        this.nodeTimeout = within("nodeTimeout", timeout, Duration.ofMillis(1), Duration.ofSeconds(10));
        return this;
    }

    /**
     * Allowance for clocks that run at different speeds: {@code factor} of the ttl and {@code constant} on top are taken off
     * the validity. Default 1 % and 2 ms.
     *
     * @throws IllegalArgumentException unless the factor is 0 to 0.5 and the constant 0 to 1 s
     */
    public FencedLocksBuilder drift(double factor, Duration constant) {
        if (!(factor >= 0 && factor <= 0.5)) {
            throw new IllegalArgumentException("The drift factor is 0 to 0.5, but this one is " + factor + ".");
        }
        this.driftFactor = factor;
        this.driftConstant = within("drift constant", constant, Duration.ZERO, Duration.ofSeconds(1));
        return this;
    }

    /**
     * What all keys and channels start with; a colon follows. Default {@code fenced-write}.
     *
     * @throws IllegalArgumentException unless 1 to 64 letters, digits, underscores, dots and hyphens
     */
    public FencedLocksBuilder prefix(String text) {
        if (!PREFIX.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "A prefix is 1 to 64 characters of A-Z a-z 0-9 _ . and -, without a colon so"
                            + " that no two prefixes meet, but this one is \"" + text + "\".");
        }
        this.prefix = text;
        return this;
    }

    /**
     * The largest ttl that any client of these nodes may use. Default 30 s. It determines how long a restarted node stays
     * in quarantine.
     *
     * @throws IllegalArgumentException unless 10 ms to 1 h
     */
    public FencedLocksBuilder maxTtl(Duration ttl) {
        this.maxTtl = within("maxTtl", ttl, Arguments.SHORTEST_TTL, Arguments.LARGEST_MAX_TTL);
        return this;
    }

    /**
     * How long a node keeps a counter after its last use. Default 7 days; zero for ever. Of two clients' settings the longer
     * wins.
     *
     * @throws IllegalArgumentException unless 0 or 1 h to 3,650 days
     */
    public FencedLocksBuilder retention(Duration time) {
        this.retention = time.isZero() ? time : within("retention", time, HOUR, Duration.ofDays(3_650));
        return this;
    }

    /** Where counters start. Default {@link SeedMode#CLOCK}. The same for all clients. */
    public FencedLocksBuilder seedMode(SeedMode mode) {
        this.seedMode = Objects.requireNonNull(mode);
        return this;
    }

    /**
     * Whether a restarted node stays out of votes until every lock that it may have forgotten has run out, which takes
     * {@code maxTtl} and a second. Default true. Switch it off only where the nodes are known to start without any lock in
     * force, as in a test that starts them itself.
     */
    public FencedLocksBuilder quarantine(boolean on) {
        this.quarantine = on;
        return this;
    }

    /**
     * How long any lease may be renewed. Default 1 h.
     *
     * @throws IllegalArgumentException unless 1 s to 7 days
     */
    public FencedLocksBuilder maxLifetime(Duration lifetime) {
        this.maxLifetime = within("maxLifetime", lifetime, Duration.ofSeconds(1), Arguments.LARGEST_MAX_LIFETIME);
        return this;
    }

    /**
     * Sets how to log in and to encrypt where an address says nothing of it: user and password, which a credentials provider
     * may change and which are asked for at each connection, database, whether to use TLS, the {@code SslOptions}, and the
     * client name. What else Jedis's configuration says, timeouts above all, does not apply: see {@link #nodeTimeout}.
     *
     * @throws IllegalArgumentException if it has an SSLSocketFactory, a HostnameVerifier or an AuthXManager, or a client name
     *     with blanks or line breaks
     */
    public FencedLocksBuilder clientConfig(JedisClientConfig config) {
        if (config.getSslSocketFactory() != null || config.getHostnameVerifier() != null) {
            throw new IllegalArgumentException(
                    "An SSLSocketFactory and a HostnameVerifier cannot be used. Set the context"
                            + " with sslContext(...); the name in a node's certificate is always checked.");
        }
        if (config.getAuthXManager() != null) {
            throw new IllegalArgumentException(
                    "An AuthXManager cannot be used. Set a credentialsProvider, which is asked at"
                            + " each connection.");
        }
        String name = config.getClientName();
        if (name != null && !CLIENT_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("A client name is printable ASCII without blanks, but this one is \""
                    + Printable.text(name) + "\".");
        }
        this.clientConfig = config;
        return this;
    }

    /**
     * Sets what is trusted, and what the client shows of itself, where a connection is encrypted ({@code rediss://}). By
     * default that is the JVM's default {@link SSLContext}. The name in a node's certificate is always checked.
     */
    public FencedLocksBuilder sslContext(SSLContext context) {
        this.sslContext = Objects.requireNonNull(context);
        return this;
    }

    /**
     * Sets what people are shown of this client beside each lock that it holds, for example host, process id and build. Stands
     * on the nodes in plain text. Empty by default.
     *
     * @throws IllegalArgumentException unless up to 200 printable characters of ASCII
     */
    public FencedLocksBuilder holderLabel(String text) {
        if (!LABEL.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "A label is up to 200 printable characters of ASCII, none of them a blank at the"
                            + " begin or the end, but this one is \"" + Printable.text(text) + "\".");
        }
        this.label = text;
        return this;
    }

    /** Sets the listener. None by default. */
    public FencedLocksBuilder listener(LeaseListener leaseListener) {
        this.listener = Objects.requireNonNull(leaseListener);
        return this;
    }

    /** Where {@code onLost} and {@code onExpiring} callbacks run. Default: one daemon thread of the client. */
    public FencedLocksBuilder callbackExecutor(Executor executor) {
        this.callbacks = Objects.requireNonNull(executor);
        return this;
    }

    /**
     * Whether {@link FencedLocks#close} releases the leases that are held then. Default true; without, they run out by
     * themselves.
     */
    public FencedLocksBuilder releaseOnClose(boolean release) {
        this.releaseOnClose = release;
        return this;
    }

    /** What to do about the preflight. Default {@link PreflightMode#REFUSE}. */
    public FencedLocksBuilder preflight(PreflightMode mode) {
        this.preflight = Objects.requireNonNull(mode);
        return this;
    }

    /**
     * Connects to the nodes, waiting for each at most twice its timeout and half a second, and runs the preflight. A node
     * that cannot be reached is logged and tried again in the background.
     *
     * @return a client, to be closed at the end
     * @throws PreflightException if the preflight finds what makes locking unsafe
     * @throws IllegalStateException if Jedis is older than 6.0, if no nodes were given, if the retention is less than twice the
     *     maxLifetime, or if the drift leaves nothing of the maxTtl
     */
    public FencedLocks build() {
        String jedis = JedisVersion.objection();
        if (jedis != null) {
            throw new IllegalStateException(jedis);
        }
        if (nodes.isEmpty()) {
            throw new IllegalStateException(
                    "No nodes were given. Name them: builder.nodes(\"redis://host:6379\", ...).");
        }
        if (!retention.isZero() && retention.compareTo(maxLifetime.multipliedBy(2)) < 0) {
            throw new IllegalStateException("The retention (" + retention + ") is less than twice the maxLifetime ("
                    + maxLifetime + "), so a counter could be forgotten while its lease is held. Raise the retention.");
        }
        Arguments arguments = new Arguments(maxTtl, maxLifetime, driftFactor, driftConstant);
        String objection = arguments.driftObjection(maxTtl);
        if (objection != null) {
            throw new IllegalStateException("No lease could be valid: " + objection);
        }
        Loop loop = new Loop(new SelectorNetwork(trust()), System::nanoTime);
        List<Node> all = newNodes(loop);
        connect(all);
        LeaseClient client = new LeaseClient(
                new NodeSet(all, loop),
                new Settings(
                        prefix,
                        nodeTimeout.toNanos(),
                        driftFactor,
                        driftConstant.toNanos(),
                        maxTtl.toMillis(),
                        seedMode,
                        listener,
                        callbacks,
                        label,
                        releaseOnClose));
        String usedPrefix = prefix;
        SeedMode usedMode = seedMode;
        FencedLocks locks = new RedisFencedLocks(client, arguments, () -> Preflight.run(all, usedPrefix, usedMode));
        if (preflight != PreflightMode.OFF) {
            preflight(locks);
        }
        return locks;
    }

    /** What an address does not say, Jedis's configuration does. */
    private NodeAddress completed(NodeAddress address) {
        return clientConfig == null ? address : address.or(clientConfig.isSsl(), clientConfig.getDatabase());
    }

    private @Nullable SSLContext trust() {
        SslOptions options = clientConfig == null ? null : clientConfig.getSslOptions();
        if (sslContext != null || options == null) {
            return sslContext;
        }
        try {
            return options.createSslContext();
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(
                    "No SSL context can be made of the SslOptions of Jedis's configuration: " + e, e);
        }
    }

    private List<Node> newNodes(Loop loop) {
        List<NodeAddress> addresses = nodes.stream().map(this::completed).toList();
        NodeSettings settings = new NodeSettings(
                nodeTimeout.toNanos(),
                retention.toMillis(),
                quarantine ? maxTtl.toMillis() : 0,
                Membership.of(prefix, addresses, maxTtl.toMillis(), seedMode),
                clientConfig == null ? NodeLogin.BY_ADDRESS : NodeLogin.of(clientConfig));
        return Node.all(addresses, settings, loop);
    }

    private void preflight(FencedLocks locks) {
        List<Finding> findings = locks.preflight();
        for (Finding finding : findings) {
            if (finding.severity() == Finding.Severity.HINT) {
                log.info("Preflight: {}", finding);
            } else {
                log.warn("Preflight: {}", finding);
            }
        }
        boolean fatal = findings.stream().anyMatch(finding -> finding.severity() == Finding.Severity.FATAL);
        if (fatal && preflight == PreflightMode.REFUSE) {
            locks.close();
            throw new PreflightException(findings);
        }
    }

    private void connect(List<Node> all) {
        all.forEach(Node::connect);
        long deadline =
                System.nanoTime() + nodeTimeout.multipliedBy(2).plusMillis(500).toNanos();
        try {
            for (Node node : all) {
                node.awaitFirstTry(deadline);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Duration within(String name, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    "The " + name + " is " + least + " to " + most + ", but this one is " + value + ".");
        }
        return value;
    }
}
