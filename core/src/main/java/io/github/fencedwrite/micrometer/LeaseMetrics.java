package io.github.fencedwrite.micrometer;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.LeaseListener;
import io.github.fencedwrite.LockNotAcquiredException;
import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.NodeStatus;
import io.github.fencedwrite.ReleaseResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/**
 * Counts and times what a client does. Needs {@code micrometer-core} on the class path.
 *
 * <pre>{@code
 * LeaseMetrics metrics = new LeaseMetrics(registry);
 * FencedLocks locks = FencedLocks.builder().nodes(...).listener(metrics).build();
 * metrics.watchNodes(locks);
 * }</pre>
 *
 * <p>All meters exist from the start, with 0, those of the nodes from {@link #watchNodes} on:
 *
 * <ul>
 *   <li>timer {@code fencedwrite.acquire} by {@code outcome}: acquired, contended, no_quorum, timeout, interrupted,
 *       misconfigured;
 *   <li>counters {@code fencedwrite.tokens} by {@code path} (fast, slow), {@code fencedwrite.extensions},
 *       {@code fencedwrite.lost}, {@code fencedwrite.abandoned}, {@code fencedwrite.releases} by {@code result} (released,
 *       not_held, unconfirmed), {@code fencedwrite.node.failures} by {@code node} and {@code reason};
 *   <li>gauges {@code fencedwrite.leases} and, by {@code node}, {@code fencedwrite.node.up}, {@code fencedwrite.node.latency}
 *       and {@code fencedwrite.node.quarantine}, the last two in seconds.
 * </ul>
 *
 * <p>No name of a resource becomes a tag. Safe for use by many threads.
 */
public final class LeaseMetrics implements LeaseListener {

    private final MeterRegistry registry;
    private final Set<Lease> leases = ConcurrentHashMap.newKeySet();
    private final Counter extensions;
    private final Counter lost;
    private final Counter abandoned;

    /** Registers all meters but those of the nodes. */
    public LeaseMetrics(MeterRegistry registry) {
        this.registry = registry;
        Gauge.builder("fencedwrite.leases", this, LeaseMetrics::valid)
                .description("Leases that are held and valid")
                .baseUnit("leases")
                .register(registry);
        extensions = counter("fencedwrite.extensions", "extensions", "Extensions of leases that a quorum confirmed");
        lost = counter("fencedwrite.lost", "leases", "Leases that were lost before their holder released them");
        abandoned = counter("fencedwrite.abandoned", "leases", "Leases still held when the client was closed");
        acquire("acquired");
        for (LockNotAcquiredException.Reason reason : LockNotAcquiredException.Reason.values()) {
            acquire(tag(reason));
        }
        tokens(true);
        tokens(false);
        for (ReleaseResult result : ReleaseResult.values()) {
            releases(result);
        }
    }

    private Counter counter(String name, String unit, String description, String... tags) {
        return Counter.builder(name)
                .description(description)
                .baseUnit(unit)
                .tags(tags)
                .register(registry);
    }

    private Timer acquire(String outcome) {
        return Timer.builder("fencedwrite.acquire")
                .description("Calls that acquire a lock, from the call to its outcome")
                .tag("outcome", outcome)
                .register(registry);
    }

    private Counter tokens(boolean fast) {
        return counter(
                "fencedwrite.tokens",
                "tokens",
                "Fencing tokens, agreed on in one round (fast) or two (slow)",
                "path",
                fast ? "fast" : "slow");
    }

    private Counter releases(ReleaseResult result) {
        return counter("fencedwrite.releases", "releases", "Releases, by what the nodes said", "result", tag(result));
    }

    private Counter failures(String node, NodeFailure.Reason reason) {
        return counter(
                "fencedwrite.node.failures",
                "failures",
                "Refused acquisitions in which the node gave no usable answer",
                "node",
                node,
                "reason",
                tag(reason));
    }

    /** Registers the meters of each node of a client; its gauges are read when the registry is. */
    public void watchNodes(FencedLocks locks) {
        List<NodeStatus> nodes = locks.nodeStatuses();
        for (int i = 0; i < nodes.size(); i++) {
            String node = nodes.get(i).node();
            for (NodeFailure.Reason reason : NodeFailure.Reason.values()) {
                failures(node, reason);
            }
            gauge(
                    "fencedwrite.node.up",
                    "",
                    "Whether the client can talk to the node (1) or not (0)",
                    locks,
                    i,
                    status -> status.up() ? 1 : 0);
            gauge(
                    "fencedwrite.node.latency",
                    "seconds",
                    "How long the node lately took to answer",
                    locks,
                    i,
                    status -> seconds(status.latency()));
            gauge(
                    "fencedwrite.node.quarantine",
                    "seconds",
                    "How long the node will not vote yet",
                    locks,
                    i,
                    status -> seconds(status.quarantinedFor()));
        }
    }

    private void gauge(
            String name,
            String unit,
            String description,
            FencedLocks locks,
            int index,
            ToDoubleFunction<NodeStatus> value) {
        Gauge.builder(name, locks, all -> value.applyAsDouble(all.nodeStatuses().get(index)))
                .description(description)
                .baseUnit(unit.isEmpty() ? null : unit)
                .tag("node", locks.nodeStatuses().get(index).node())
                .register(registry);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private double valid() {
        leases.removeIf(lease -> !lease.isValid());
        return leases.size();
    }

    @Override
    public void acquired(Lease lease, Duration took, boolean fast) {
        leases.add(lease);
        acquire("acquired").record(took);
        tokens(fast).increment();
    }

    @Override
    public void refused(LockNotAcquiredException why, Duration took) {
        acquire(tag(why.reason())).record(took);
        why.nodeFailures()
                .forEach((node, failure) -> failures(node, failure.reason()).increment());
    }

    @Override
    public void extended(Lease lease) {
        extensions.increment();
    }

    @Override
    public void lost(Lease lease) {
        leases.remove(lease);
        lost.increment();
    }

    @Override
    public void abandoned(Lease lease) {
        abandoned.increment();
    }

    @Override
    public void released(Lease lease, ReleaseResult result) {
        leases.remove(lease);
        releases(result).increment();
    }

    private static String tag(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
