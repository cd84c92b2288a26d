package io.github.fencedwrite.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.LeaseRequest;
import io.github.fencedwrite.LockNotAcquiredException;
import io.github.fencedwrite.examples.servers.RedisNodes;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseMetricsIT {

    @Test
    void countsAndTimesWhatAClientDoes() {
        MeterRegistry registry = new SimpleMeterRegistry();
        LeaseMetrics metrics = new LeaseMetrics(registry);
        try (RedisNodes nodes = RedisNodes.start(3);
                FencedLocks locks = FencedLocks.builder()
                        .nodes(nodes.uris())
                        .quarantine(false)
                        .listener(metrics)
                        .build()) {
            metrics.watchNodes(locks);
            Lease lease = locks.acquire(
                    LeaseRequest.of("r", Duration.ofMillis(600)).renewFor(Duration.ofMinutes(1)), Duration.ZERO);
            assertThat(registry.get("fencedwrite.leases").gauge().value()).isEqualTo(1);
            assertThat(locks.tryAcquire("r", Duration.ofSeconds(1))).isEmpty();
            await().until(() -> count(registry, "fencedwrite.extensions") > 0);
            lease.close();
            locks.acquire(LeaseRequest.of("s", Duration.ofMillis(50)).onLost(any -> {}), Duration.ZERO);
            await().until(() -> count(registry, "fencedwrite.lost") > 0);
            nodes.get(0).kill();
            nodes.get(1).kill();
            assertThatThrownBy(() -> locks.acquire("t", Duration.ofSeconds(1), Duration.ZERO))
                    .isInstanceOf(LockNotAcquiredException.class);

            assertThat(registry.get("fencedwrite.acquire")
                            .tag("outcome", "acquired")
                            .timer()
                            .count())
                    .isEqualTo(2);
            assertThat(registry.get("fencedwrite.acquire")
                            .tag("outcome", "contended")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("fencedwrite.acquire")
                            .tag("outcome", "no_quorum")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("fencedwrite.node.failures").counters().stream()
                            .mapToDouble(counter -> counter.count())
                            .sum())
                    .isEqualTo(2);
            assertThat(registry.get("fencedwrite.tokens").counters().stream()
                            .mapToDouble(counter -> counter.count())
                            .sum())
                    .isEqualTo(2);
            assertThat(registry.get("fencedwrite.releases")
                            .tag("result", "released")
                            .counter()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("fencedwrite.leases").gauge().value()).isZero();
            assertThat(registry.get("fencedwrite.node.up").gauges()).hasSize(3);
            await().until(() -> registry.get("fencedwrite.node.up").gauges().stream()
                            .mapToDouble(gauge -> gauge.value())
                            .sum()
                    == 1);
        }
    }

    private static double count(MeterRegistry registry, String counter) {
        return registry.get(counter).counter().count();
    }
}
