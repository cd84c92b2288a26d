package io.github.fencedwrite.jdbi.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.jdbi.FencedTarget;
import io.github.fencedwrite.jdbi.WriteOutcome;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

class WriteMetricsTest {

    private static final FencingToken TOKEN = FencingToken.of(7);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final WriteMetrics metrics = new WriteMetrics(registry, "inventory");

    private double count(String table, String outcome) {
        return registry.get("fencedwrite.writes")
                .tag("table", table)
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    @Test
    void existFromTheStartWithZero() {
        assertThat(registry.find("fencedwrite.writes").counters())
                .hasSize(WriteOutcome.class.getPermittedSubclasses().length)
                .allMatch(counter -> counter.count() == 0);
    }

    @Test
    void countEachOutcomeByTable() {
        List<WriteOutcome> outcomes = List.of(
                new WriteOutcome.Applied(3),
                new WriteOutcome.Stale(TOKEN, null),
                new WriteOutcome.AlreadyWritten(TOKEN),
                new WriteOutcome.NotClaimed(TOKEN, 3),
                new WriteOutcome.NotFound(),
                new WriteOutcome.Partial(TOKEN, 2, 1),
                new WriteOutcome.Regression(TOKEN, TOKEN),
                new WriteOutcome.Retryable("40001"),
                new WriteOutcome.Unknown("08006"));
        for (String table : List.of("inventory", "orders")) {
            outcomes.forEach(outcome -> metrics.finished(new FencedTarget(table, "", TOKEN, null), outcome));
        }
        assertThat(registry.find("fencedwrite.writes").counters())
                .hasSize(2 * outcomes.size())
                .allMatch(counter -> counter.count() == 1);
        assertThat(count("orders", "already_written")).isEqualTo(1);
    }
}
