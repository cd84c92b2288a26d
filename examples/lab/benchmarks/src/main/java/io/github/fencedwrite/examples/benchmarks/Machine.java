package io.github.fencedwrite.examples.benchmarks;

import io.github.fencedwrite.examples.servers.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.openjdk.jmh.annotations.Benchmark;
import org.redisson.Redisson;
import org.springframework.integration.redis.util.RedisLockRegistry;

/** Where and with what a run took place. */
final class Machine {

    /** For people, in a few lines. */
    String describe() {
        return "Measured on " + LocalDate.now(ZoneOffset.UTC) + ": "
                + Runtime.getRuntime().availableProcessors() + " cores (" + processor() + "), "
                + System.getProperty("os.name") + " " + System.getProperty("os.arch") + ", "
                + System.getProperty("java.vm.name") + " " + System.getProperty("java.version") + ", servers "
                + Servers.redis().toString().toLowerCase(Locale.ROOT) + ". Libraries: "
                + String.join(
                        ", ",
                        library("Redisson", Redisson.class),
                        library("Spring Integration", RedisLockRegistry.class),
                        library("Curator", CuratorFramework.class),
                        library("JMH", Benchmark.class))
                + ".";
    }

    private static String processor() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }

    /** The version is in the name of the jar. */
    private static String library(String name, Class<?> type) {
        String jar = Path.of(
                        type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .getFileName()
                .toString();
        return name + " " + jar.replaceFirst("^[a-z-]+-(?=\\d)", "").replaceFirst("\\.jar$", "");
    }
}
