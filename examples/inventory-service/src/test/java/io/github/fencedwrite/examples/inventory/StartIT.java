package io.github.fencedwrite.examples.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A first look: no server is given. */
class StartIT {

    /** Half a minute is promised, on a machine that has nothing else to do; here others may be at work. */
    private static final Duration LONGEST = Duration.ofMinutes(2);

    @Test
    void servesThePageOnServersOfItsOwnAndLeavesNoProcessBehind() throws Exception {
        long begun = System.nanoTime();
        List<ProcessHandle> started;
        try (InstanceProcess instance = InstanceProcess.start(Map.of("PORT", "0"))) {
            Api api = instance.api();
            await().atMost(LONGEST).until(() -> api.get("/ready").status() == 200);
            System.out.println("ready after " + (System.nanoTime() - begun) / 1_000_000 + " ms");

            assertThat(api.get("/").text()).contains("<title>fenced-write");
            started = instance.descendants();
            assertThat(started).hasSizeGreaterThanOrEqualTo(2); // the workers, at least; servers may be containers
            instance.terminate();
        }
        await().atMost(LONGEST).until(() -> started.stream().noneMatch(ProcessHandle::isAlive));
    }
}
