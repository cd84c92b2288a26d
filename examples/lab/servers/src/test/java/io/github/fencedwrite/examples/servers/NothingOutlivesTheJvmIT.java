package io.github.fencedwrite.examples.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class NothingOutlivesTheJvmIT {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final List<ProcessHandle> processes = new ArrayList<>();
    private Process jvm;
    private Path directory;

    @BeforeEach
    void startAnotherJvm() throws IOException {
        jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServersOfAnotherJvm.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader output = new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8));
        for (String line = output.readLine(); !"ready".equals(line); line = output.readLine()) {
            assertThat(line).as("the other JVM ended early").isNotNull();
            String[] words = line.split(" ", 2);
            switch (words[0]) {
                case "process" -> ProcessHandle.of(Long.parseLong(words[1])).ifPresent(processes::add);
                case "directory" -> directory = Path.of(words[1]);
                default -> {}
            }
        }
        assertThat(processes).hasSizeGreaterThan(3).allMatch(ProcessHandle::isAlive);
        assertThat(directory).isDirectory();
    }

    @AfterEach
    void endIt() {
        jvm.destroyForcibly();
    }

    @Test
    void endsServersAndDeletesFilesWhenTheJvmExits() throws IOException {
        jvm.getOutputStream().close();
        assertNothingIsLeft();
        assertThat(jvm.exitValue()).isZero();
    }

    @Test
    void endsServersAndDeletesFilesWhenTheJvmIsKilled() {
        jvm.destroyForcibly();
        assertNothingIsLeft();
    }

    private void assertNothingIsLeft() {
        await().atMost(LIMIT).until(() -> !jvm.isAlive());
        await().atMost(LIMIT).until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
        await().atMost(LIMIT).until(() -> !Files.exists(directory));
    }
}
