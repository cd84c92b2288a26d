package io.github.fencedwrite.micrometer;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.LeaseListener;
import io.github.fencedwrite.LockNotAcquiredException;
import io.github.fencedwrite.NodeStatus;
import io.github.fencedwrite.ReleaseResult;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
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
 * <p>Names: timer {@code fencedwrite.acquire} (tag {@code outcome}), counters {@code fencedwrite.tokens} ({@code path}: fast
 * or slow), {@code fencedwrite.extensions}, {@code fencedwrite.lost}, {@code fencedwrite.abandoned},
 * {@code fencedwrite.releases} ({@code result}) and {@code fencedwrite.node.failures} ({@code node}, {@code reason}), gauges
 * {@code fencedwrite.leases} and, per node, {@code fencedwrite.node.up}, {@code .latency} and {@code .quarantine} (seconds).
 * No name of a resource becomes a tag. Safe for use by many threads.
 */
public final class LeaseMetrics implements LeaseListener {

    private final MeterRegistry registry;
    private final Set<Lease> leases = ConcurrentHashMap.newKeySet();

    /** Registers the gauge of leases at once; the rest when it first happens. */
    public LeaseMetrics(MeterRegistry registry) {
        this.registry = registry;
        Gauge.builder("fencedwrite.leases", this, LeaseMetrics::valid)
                .description("Leases that are held and valid")
                .register(registry);
    }

    /** Registers gauges for each node of a client, read when the registry is. */
    public void watchNodes(FencedLocks locks) {
        List<NodeStatus> nodes = locks.nodeStatuses();
        for (int i = 0; i < nodes.size(); i++) {
            String node = nodes.get(i).node();
            gauge("fencedwrite.node.up", locks, i, node, status -> status.up() ? 1 : 0);
            gauge("fencedwrite.node.latency", locks, i, node, status -> seconds(status.latency()));
            gauge("fencedwrite.node.quarantine", locks, i, node, status -> seconds(status.quarantinedFor()));
        }
    }

    private void gauge(String name, FencedLocks locks, int index, String node, ToDoubleFunction<NodeStatus> value) {
        Gauge.builder(name, locks, all -> value.applyAsDouble(all.nodeStatuses().get(index)))
                .tag("node", node)
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
        registry.timer("fencedwrite.acquire", "outcome", "acquired").record(took);
        registry.counter("fencedwrite.tokens", "path", fast ? "fast" : "slow").increment();
    }

    @Override
    public void refused(LockNotAcquiredException why, Duration took) {
        registry.timer("fencedwrite.acquire", "outcome", tag(why.reason())).record(took);
        why.nodeFailures()
                .forEach((node, failure) -> registry.counter(
                                "fencedwrite.node.failures", "node", node, "reason", tag(failure.reason()))
                        .increment());
    }

    @Override
    public void extended(Lease lease) {
        registry.counter("fencedwrite.extensions").increment();
    }

    @Override
    public void lost(Lease lease) {
        leases.remove(lease);
        registry.counter("fencedwrite.lost").increment();
    }

    @Override
    public void abandoned(Lease lease) {
        registry.counter("fencedwrite.abandoned").increment();
    }

    @Override
    public void released(Lease lease, ReleaseResult result) {
        leases.remove(lease);
        registry.counter("fencedwrite.releases", "result", tag(result)).increment();
    }

    private static String tag(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
