package io.github.fencedwrite.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.examples.servers.FakeTime;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The short run. The long one is a command of its own, see the README. */
class ChaosIT {

    private static final Duration TIME = Duration.ofSeconds(15);

    @Test
    void losesNothingWithGuardsAndSomethingWithout() throws Exception {
        if ("required".equals(System.getProperty("tools"))) {
            assertThat(FakeTime.library())
                    .as("-Dtools=required, but this machine has no libfaketime (Debian: libfaketime)")
                    .isPresent();
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        boolean kept = Chaos.run(
                Options.of(TIME, Long.getLong("seed", 0)), new PrintStream(bytes, true, StandardCharsets.UTF_8));

        String report = bytes.toString(StandardCharsets.UTF_8);
        System.out.println(report);
        assertThat(report.stripTrailing().lines().reduce((first, second) -> second))
                .hasValueSatisfying(last -> assertThat(last)
                        .matches("CHAOS operations=[1-9]\\d* lost_updates=0 token_inversions=0 duplicate_tokens=0"
                                + " unacknowledged_present=\\d+ control_lost_updates=[1-9]\\d*"));
        assertThat(kept).as(report).isTrue();
    }
}
