package io.github.fencedwrite.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.SeedMode;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CounterSeedsTest {

    private static final long TODAY = micros("2026-11-30T12:00:00Z");

    @Test
    void aClientWhoseClockIsBefore2020RefusesToSeed() {
        assertThat(seeds(micros("2019-12-31T23:59:59Z"), 0, 0, 0).objection()).contains("before 2020");
        assertThat(seeds(micros("2020-01-01T00:00:00Z"), 0, 0, 0).objection()).isNull();
    }

    @Test
    void aClientWhoseClockIsADayOffMostNodesRefusesToSeed() {
        long day = Duration.ofHours(25).toMinutes() * 60_000_000;
        assertThat(seeds(TODAY, day, day, 0).objection()).contains("a day off the clocks of 2 nodes");
        assertThat(seeds(TODAY, -day, -day, -day).objection()).contains("3 nodes");
    }

    @Test
    void aDayIsNotYetOff() {
        long day = TimeUnit.DAYS.toMicros(1);
        assertThat(seeds(TODAY, day, -day).objection()).isNull();
        assertThat(seeds(TODAY, day + 1, -day - 1).objection()).contains("2 nodes");
    }

    @ParameterizedTest
    @CsvSource({"30, 25, 30", "25, 30, 30", "-30, 25, -30", "25, -30, -30", "25, -25, 25"})
    void theClockThatIsFarthestOffIsNamed(long oneHours, long otherHours, long named) {
        assertThat(seeds(TODAY, TimeUnit.HOURS.toMicros(oneHours), TimeUnit.HOURS.toMicros(otherHours))
                        .objection())
                .contains("(" + named + " h at most)");
    }

    @Test
    void oneNodeWhoseClockIsOffSaysNothingAboutTheClient() {
        long year = TimeUnit.DAYS.toMicros(365);
        assertThat(seeds(TODAY, year, 0, 0).objection()).isNull();
        assertThat(seeds(TODAY, year, 0).objection()).isNull();
        assertThat(seeds(TODAY, TimeUnit.HOURS.toMicros(23), TimeUnit.HOURS.toMicros(23))
                        .objection())
                .isNull();
    }

    @Test
    void theSeedIsTheWallClockInMicroseconds() {
        assertThat(seeds(TODAY, 0).next()).isEqualTo(TODAY).isLessThan(1L << 53);
    }

    @Test
    void withoutSeedsNoClockMatters() {
        CounterSeeds zero = new CounterSeeds(SeedMode.ZERO, () -> 5, List.of(() -> TimeUnit.DAYS.toMicros(9)));
        assertThat(zero.next()).isZero();
        assertThat(zero.objection()).isNull();
    }

    private static CounterSeeds seeds(long wall, long... ahead) {
        List<LongSupplier> nodes = Arrays.stream(ahead)
                .<LongSupplier>mapToObj(micros -> () -> micros)
                .toList();
        return new CounterSeeds(SeedMode.CLOCK, () -> wall, nodes);
    }

    private static long micros(String instant) {
        return TimeUnit.SECONDS.toMicros(Instant.parse(instant).getEpochSecond());
    }
}
