package io.github.fencedwrite.internal.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Replay with -Dseed=N; a long run is -Dschedules=1000000. */
class SimulationTest {

    private final long seed = Long.getLong("seed", 0) == 0 ? System.nanoTime() : Long.getLong("seed");
    private final long schedules = Long.getLong("schedules", 5_000);

    @Test
    void everyPromiseIsKeptInEverySchedule() {
        System.out.println("simulation: seed " + seed);
        Campaign campaign = new Campaign(Variant.RIGHT);
        long begun = System.nanoTime();

        String fault = campaign.firstFault(seed, schedules).orElse("");

        System.out.println("simulation: " + campaign + " in " + (System.nanoTime() - begun) / 1_000_000 + " ms");
        assertThat(fault).isEmpty();
    }
}
