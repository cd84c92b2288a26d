package io.github.fencedwrite.examples.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class NothingIsLeftAfterCloseIT {

    @Test
    void noProcessAndNoFileOfRedisIsLeft() throws IOException {
        List<Path> files = files();
        List<ProcessHandle> processes = processes();
        RedisNodes nodes = RedisNodes.nodes(2).embedded().start();
        assertThat(files()).hasSizeGreaterThan(files.size());
        assertThat(processes()).hasSize(processes.size() + 2);
        nodes.get(0).pause();
        nodes.get(1).saveSnapshot();
        nodes.close();
        assertThat(files()).isEqualTo(files);
        assertThat(processes()).isEqualTo(processes);
    }

    @Test
    @Timeout(30)
    void noProcessThatWritesASnapshotIsLeft() throws IOException {
        List<ProcessHandle> processes = processes();
        try (RedisNodes nodes = RedisNodes.nodes(1)
                .embedded()
                .settings("--rdb-key-save-delay", "100000000")
                .start()) {
            RedisCommand.send(nodes.get(0), "SET a 1");
            assertThat(RedisCommand.send(nodes.get(0), "BGSAVE")).startsWith("+Background");
            assertThat(processes()).hasSize(processes.size() + 2);
        }
        assertThat(processes()).isEqualTo(processes);
    }

    @Test
    void noProcessAndNoFileOfPostgresIsLeft() throws IOException {
        List<Path> files = files();
        List<ProcessHandle> processes = processes();
        EmbeddedPostgresServer postgres = EmbeddedPostgresServer.start(List.of());
        assertThat(files()).hasSizeGreaterThan(files.size());
        assertThat(processes()).hasSizeGreaterThan(processes.size());
        postgres.close();
        assertThat(files()).isEqualTo(files);
        assertThat(processes()).isEqualTo(processes);
    }

    @Test
    void noProcessAndNoFileIsLeftWhenTheStartFails() throws IOException {
        List<Path> files = files();
        List<ProcessHandle> processes = processes();
        assertThat(catchThrowable(() -> RedisNodes.nodes(3)
                        .embedded()
                        .settings("--maxmemory", "nonsense")
                        .start()))
                .isInstanceOf(ServersException.class);
        assertThat(catchThrowable(() -> EmbeddedPostgresServer.start(List.of("no_such_setting=1"))))
                .isInstanceOf(ServersException.class);
        assertThat(files()).isEqualTo(files);
        assertThat(processes()).isEqualTo(processes);
    }

    private static List<ProcessHandle> processes() {
        return ProcessHandle.current().descendants().sorted().toList();
    }

    /** Without the server's program, which is unpacked once per JVM. */
    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(Workspace.instance().directory())) {
            return files.filter(path -> !path.toString().contains("redis-binary"))
                    .sorted()
                    .toList();
        }
    }
}
