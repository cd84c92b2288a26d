package io.github.fencedwrite.examples.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/** CPU time that this process and the servers it started have used so far. */
final class Cpu {

    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private Cpu() {}

    static Duration used() {
        return Duration.ofNanos(SYSTEM.getProcessCpuTime()).plus(usedByServers());
    }

    private static Duration usedByServers() {
        return ProcessHandle.current()
                .descendants()
                .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }
}
