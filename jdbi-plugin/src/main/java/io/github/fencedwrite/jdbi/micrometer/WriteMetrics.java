package io.github.fencedwrite.jdbi.micrometer;

import io.github.fencedwrite.jdbi.FencedTarget;
import io.github.fencedwrite.jdbi.WriteListener;
import io.github.fencedwrite.jdbi.WriteOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts the outcomes of guarded writes. Needs {@code micrometer-core} on the class path.
 *
 * <pre>{@code
 * WriteMetrics metrics = new WriteMetrics(registry, "inventory", "orders");
 * Jdbi jdbi = Jdbi.create(dataSource).installPlugin(new FencingPlugin().listener(metrics));
 * }</pre>
 *
 * <p>One counter, {@code fencedwrite.writes} by {@code table} and {@code outcome}: applied, stale, already_written, not_claimed,
 * not_found, partial, regression, retryable, unknown. A row of a batch counts as one write. The counters of the tables that are
 * named exist from the start, with 0; those of others from their first outcome on. No name of a resource becomes a tag. Safe for
 * use by many threads.
 */
public final class WriteMetrics implements WriteListener {

    private static final List<String> OUTCOMES = List.of(
            "applied",
            "stale",
            "already_written",
            "not_claimed",
            "not_found",
            "partial",
            "regression",
            "retryable",
            "unknown");

    private final MeterRegistry registry;
    private final Map<String, Map<String, Counter>> counters = new ConcurrentHashMap<>();

    /**
     * Registers the counters of {@code tables}.
     *
     * @param tables as the statements name them; transactions behind a fence row are those of {@code fencing.fence}
     */
    public WriteMetrics(MeterRegistry registry, String... tables) {
        this.registry = registry;
        for (String table : tables) {
            of(table);
        }
    }

    private Map<String, Counter> of(String table) {
        return counters.computeIfAbsent(table, name -> {
            Map<String, Counter> byOutcome = new ConcurrentHashMap<>();
            for (String outcome : OUTCOMES) {
                byOutcome.put(
                        outcome,
                        Counter.builder("fencedwrite.writes")
                                .description("Guarded writes, by what became of them")
                                .baseUnit("writes")
                                .tag("table", name)
                                .tag("outcome", outcome)
                                .register(registry));
            }
            return byOutcome;
        });
    }

    @Override
    public void finished(FencedTarget target, WriteOutcome outcome) {
        Counter counter = of(target.table()).get(tag(outcome));
        if (counter != null) {
            counter.increment();
        }
    }

    private static String tag(WriteOutcome outcome) {
        return outcome.getClass()
                .getSimpleName()
                .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
                .toLowerCase(java.util.Locale.ROOT);
    }
}
