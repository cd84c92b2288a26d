package io.github.fencedwrite.examples.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One process of a server, with its log file; it can be stopped and continued by signals. Thread safe. */
final class ServerProcess {

    private static final int LOG_LINES = 30;

    private final Process process;
    private final Path log;

    private ServerProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    static ServerProcess start(List<String> command, Map<String, String> environment, Path directory, Path log)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        ServerProcess started = new ServerProcess(builder.start(), log);
        started.process.getOutputStream().close();
        Workspace.instance().register(started, started::kill);
        Workspace.instance().watch(started.pid());
        return started;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void pause() {
        signal("STOP");
    }

    void resume() {
        signal("CONT");
    }

    /** Kills the process and its children, as a power failure would, and waits for their end. */
    void kill() {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        Stream.concat(Stream.of(process.toHandle()), children.stream())
                .forEach(handle -> handle.onExit().join());
        Workspace.instance().unregister(this);
        Workspace.instance().unwatch(pid());
    }

    String log() {
        try {
            return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "(no log: " + e.getMessage() + ")";
        }
    }

    String lastLogLines() {
        List<String> lines = log().lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
    }

    private void signal(String name) {
        if (!isAlive()) {
            throw new ServersException("Process " + pid() + " does not run, so it cannot get SIG" + name);
        }
        try {
            // the shell's own kill: not every small image has the program
            Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(kill.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new ServersException("SIG" + name + " to process " + pid() + " failed: " + output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServersException("Interrupted while sending SIG" + name + " to process " + pid(), e);
        }
    }
}
