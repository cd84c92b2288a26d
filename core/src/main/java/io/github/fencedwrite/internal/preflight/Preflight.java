package io.github.fencedwrite.internal.preflight;

import io.github.fencedwrite.Finding;
import io.github.fencedwrite.Finding.Kind;
import io.github.fencedwrite.Finding.Severity;
import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.SeedMode;
import io.github.fencedwrite.internal.redis.Inspection;
import io.github.fencedwrite.internal.redis.Node;
import io.github.fencedwrite.internal.redis.ServerInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Looks at each node and at all of them together. A node that cannot be reached is never fatal: that is what quorums are for. */
public final class Preflight {

    private static final long SECOND = TimeUnit.SECONDS.toMicros(1);
    private static final long DAY = TimeUnit.DAYS.toMicros(1);

    private final List<Node> nodes;
    private final String prefix;
    private final SeedMode seeds;
    private final List<Finding> findings = new ArrayList<>();

    private Preflight(List<Node> nodes, String prefix, SeedMode seeds) {
        this.nodes = nodes;
        this.prefix = prefix;
        this.seeds = seeds;
    }

    /** Takes a look, at each node within a few of its timeouts. */
    public static List<Finding> run(List<Node> nodes, String prefix, SeedMode seeds) {
        Preflight preflight = new Preflight(nodes, prefix, seeds);
        preflight.lookAtAll();
        return List.copyOf(preflight.findings);
    }

    private void lookAtAll() {
        if (nodes.size() % 2 == 0) {
            int quorum = nodes.size() / 2 + 1;
            add(
                    Kind.EVEN_NUMBER,
                    Severity.WARNING,
                    "",
                    nodes.size() + " nodes bear the loss of " + (nodes.size() - quorum) + ", as one node less would.",
                    "Use an odd number of nodes.");
        }
        Map<String, String> byRunId = new HashMap<>();
        for (Node node : nodes) {
            ServerInfo server = node.isUp() ? node.server() : null;
            if (server == null) {
                unreachable(node.name(), node.failure());
                continue;
            }
            String same = byRunId.putIfAbsent(server.runId(), node.name());
            if (same != null) {
                add(
                        Kind.SAME_SERVER,
                        Severity.FATAL,
                        node.name(),
                        "it is the same server as " + same + ", so its vote counts double.",
                        "Give each server once, and no address that leads to one of several servers.");
            }
            lookAt(node, server);
        }
    }

    private void unreachable(String node, NodeFailure failure) {
        switch (failure.reason()) {
            case READONLY ->
                add(
                        Kind.REPLICA,
                        Severity.FATAL,
                        node,
                        sentence(failure.detail()),
                        "Use independent masters: a replica that takes over forgets locks.");
            case UNSUPPORTED ->
                add(
                        Kind.UNSUPPORTED,
                        Severity.FATAL,
                        node,
                        sentence(failure.detail()),
                        "Use a single server of Redis 6.2 or later, or Valkey.");
            case NOAUTH ->
                add(
                        Kind.LOGIN,
                        Severity.FATAL,
                        node,
                        sentence(failure.detail()),
                        "Correct user and password in its address.");
            case CERTIFICATE ->
                add(
                        Kind.CERTIFICATE,
                        Severity.FATAL,
                        node,
                        "its certificate is not accepted: " + sentence(failure.detail()),
                        "Trust its authority (builder.sslContext, or the JVM's trust store), and name the node as its"
                                + " certificate does.");
            case NOPERM ->
                add(
                        Kind.PERMISSION,
                        Severity.FATAL,
                        node,
                        "the user lacks a right that every connection needs: " + sentence(failure.detail()),
                        "Grant the rights that the module's README lists.");
            default ->
                add(
                        Kind.UNREACHABLE,
                        Severity.WARNING,
                        node,
                        failure + ".",
                        "Locks go on as long as a quorum answers; bring it back.");
        }
    }

    private void lookAt(Node node, ServerInfo server) {
        String objection = node.objection();
        if (objection != null) {
            add(Kind.MEMBERSHIP, Severity.FATAL, node.name(), objection, "");
        }
        clock(node);
        quarantine(node);
        Inspection inspection;
        try {
            inspection = node.inspect(prefix);
        } catch (RuntimeException e) {
            unreachable(node.name(), node.isUp() ? failureOf(e) : node.failure());
            return;
        }
        inspection.refused().forEach((what, failure) -> refused(node.name(), what, failure));
        eviction(node.name(), inspection.settings());
        persistence(node.name(), inspection, server);
        if (inspection.roundTripNanos() > node.timeoutNanos() / 4) {
            add(
                    Kind.LATENCY,
                    Severity.WARNING,
                    node.name(),
                    "it took " + TimeUnit.NANOSECONDS.toMillis(inspection.roundTripNanos())
                            + " ms to answer, of a node timeout of "
                            + TimeUnit.NANOSECONDS.toMillis(node.timeoutNanos())
                            + " ms.",
                    "Raise nodeTimeout to ten times the usual latency, or bring the node nearer.");
        }
    }

    private static NodeFailure failureOf(RuntimeException e) {
        return new NodeFailure(NodeFailure.Reason.CONNECTION_LOST, String.valueOf(e.getMessage()));
    }

    private void clock(Node node) {
        long ahead = node.clockAheadMicros();
        if (Math.abs(ahead) > SECOND) {
            add(
                    Kind.CLOCK,
                    Severity.WARNING,
                    node.name(),
                    "its clock differs from this machine's by " + ahead / 1_000 + " ms."
                            + (Math.abs(ahead) > DAY ? " If most nodes do, no seed is given and no lock either." : ""),
                    "Synchronise the clocks (NTP): tokens start from the clock when counters are lost.");
        }
    }

    private void quarantine(Node node) {
        long left = node.status().quarantinedFor().toMillis();
        if (left > 0) {
            add(
                    Kind.QUARANTINE,
                    Severity.WARNING,
                    node.name(),
                    "it started lately and may have forgotten locks, so it does not vote for " + left + " ms more.",
                    "Wait, or use quarantine(false) for nodes that start empty in development.");
        }
    }

    private void refused(String node, String what, NodeFailure failure) {
        if (failure.reason() != NodeFailure.Reason.NOPERM) {
            add(
                    Kind.NODE_ERROR,
                    Severity.WARNING,
                    node,
                    "it refused " + what + ": " + failure + ".",
                    "It does not vote until that is mended.");
        } else if (what.equals("PUBLISH")) {
            add(
                    Kind.PERMISSION,
                    Severity.WARNING,
                    node,
                    "the user may not publish, so releases do not wake those who wait: " + failure.detail() + ".",
                    "Grant +publish and &" + prefix + ":*.");
        } else if (what.equals("DEL") || what.equals("INFO")) {
            add(
                    Kind.PERMISSION,
                    Severity.HINT,
                    node,
                    "the user lacks a right that only the preflight needs: " + failure.detail() + ".",
                    "Grant it, or switch the preflight off.");
        } else {
            permission(node, what, failure);
        }
    }

    private void permission(String node, String what, NodeFailure failure) {
        add(
                Kind.PERMISSION,
                Severity.FATAL,
                node,
                "the user may not " + what + ": " + failure.detail() + ".",
                "Grant the rights that the module's README lists.");
    }

    private void eviction(String node, Map<String, String> settings) {
        String policy = settings.getOrDefault("maxmemory_policy", "noeviction");
        if (!settings.getOrDefault("maxmemory", "0").equals("0") && !policy.equals("noeviction")) {
            add(
                    Kind.EVICTION,
                    Severity.FATAL,
                    node,
                    "it evicts keys when memory is short (" + policy + "), locks in force and counters among them.",
                    "Set maxmemory-policy noeviction, or use a server of its own.");
        }
    }

    private void persistence(String node, Inspection inspection, ServerInfo server) {
        boolean appending =
                inspection.settings().getOrDefault("aof_enabled", "0").equals("1");
        @Nullable String fsync = inspection.fsync();
        if (seeds == SeedMode.ZERO && !(appending && "always".equals(fsync))) {
            add(
                    Kind.PERSISTENCE,
                    Severity.FATAL,
                    node,
                    "without seeds every node has to write each counter to disk before it answers, but appendonly is "
                            + (appending ? "yes" : "no") + " and appendfsync "
                            + (fsync == null ? "cannot be read" : fsync) + ".",
                    "Set appendonly yes and appendfsync always, or use SeedMode.CLOCK.");
        } else if (!appending) {
            add(
                    Kind.PERSISTENCE,
                    Severity.HINT,
                    node,
                    "it has no append-only file (Redis " + server.version()
                            + "), so a restart brings back old counters or none.",
                    "Fine as long as clocks are synchronised; appendonly yes makes it independent of them.");
        }
    }

    private static String sentence(String detail) {
        return detail.endsWith(".") ? detail : detail + ".";
    }

    private void add(Kind kind, Severity severity, String node, String message, String fix) {
        findings.add(new Finding(kind, severity, node, message, fix));
    }
}
