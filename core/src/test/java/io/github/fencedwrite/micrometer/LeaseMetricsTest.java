package io.github.fencedwrite.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.LockNotAcquiredException;
import io.github.fencedwrite.ReleaseResult;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class LeaseMetricsTest {

    private final MeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void allMetersExistFromTheStartWithZero() {
        new LeaseMetrics(registry);
        assertThat(registry.get("fencedwrite.acquire").timers())
                .hasSize(1 + LockNotAcquiredException.Reason.values().length);
        assertThat(registry.get("fencedwrite.tokens").counters()).hasSize(2);
        assertThat(registry.get("fencedwrite.releases").counters()).hasSize(ReleaseResult.values().length);
        assertThat(registry.getMeters())
                .extracting(meter -> meter.getId().getName())
                .contains("fencedwrite.extensions", "fencedwrite.lost", "fencedwrite.abandoned", "fencedwrite.leases");
        for (Meter meter : registry.getMeters()) {
            assertThat(meter.measure())
                    .as(meter.getId().toString())
                    .extracting(Measurement::getValue)
                    .containsOnly(0.0);
        }
    }

    @Test
    void everyMeterHasAUnitAndADescription() {
        new LeaseMetrics(registry);
        for (Meter meter : registry.getMeters()) {
            assertThat(meter.getId().getBaseUnit()).as(meter.getId().getName()).isNotBlank();
            assertThat(meter.getId().getDescription())
                    .as(meter.getId().getName())
                    .isNotBlank();
        }
    }
}
