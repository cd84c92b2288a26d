package io.github.fencedwrite.examples.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChosenRedisServerIT {

    private final SystemProperties properties = new SystemProperties();

    @TempDir
    private Path directory;

    @AfterEach
    void restore() {
        properties.close();
    }

    @Test
    void runsTheProgramThatTheUserNames() throws IOException {
        Path embedded = RedisExecutable.path();
        choose("exec " + embedded + " \"$@\" --maxclients 77");
        try (RedisNodes nodes = RedisNodes.nodes(1).embedded().start()) {
            assertThat(RedisCommand.send(nodes.get(0), "INFO clients")).contains("maxclients:77");
        }
    }

    @Test
    void givesItsEnvironmentToTheProgramAndItsWordsToTheUser() throws IOException {
        choose("echo colour=$COLOUR; exit 1");
        assertThatThrownBy(() -> RedisNodes.nodes(1)
                        .embedded()
                        .environment("COLOUR", "blue")
                        .start())
                .isInstanceOf(ServersException.class)
                .hasMessageContaining("colour=blue");
    }

    @Test
    void saysHowToGetOpenSslWhereItIsMissing() throws IOException {
        choose(
                "echo 'error while loading shared libraries: libssl.so.3: cannot open shared object file' >&2; exit 127");
        assertThatThrownBy(() -> RedisNodes.nodes(5).embedded().start())
                .isInstanceOf(ServersException.class)
                .hasMessageContainingAll("apt-get install libssl3", "-Dredis.server=", "-Dservers=containers");
    }

    @Test
    void leavesNoNodeRunningWhenOneDoesNotStart() throws IOException {
        Path embedded = RedisExecutable.path();
        choose("cd '" + directory + "' && (mkdir 1 || mkdir 2) 2>/dev/null && exec " + embedded + " \"$@\"; exit 1");
        List<ProcessHandle> before =
                ProcessHandle.current().descendants().sorted().toList();
        assertThatThrownBy(() -> RedisNodes.nodes(3).embedded().start()).isInstanceOf(ServersException.class);
        assertThat(directory.resolve("2")).isDirectory();
        assertThat(ProcessHandle.current().descendants().sorted().toList()).isEqualTo(before);
    }

    private void choose(String script) throws IOException {
        Path program = Files.writeString(directory.resolve("redis-server"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        properties.set(Servers.REDIS_SERVER, program.toString());
    }
}
