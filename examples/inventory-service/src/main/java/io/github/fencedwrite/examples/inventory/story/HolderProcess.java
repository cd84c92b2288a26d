package io.github.fencedwrite.examples.inventory.story;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A {@link HolderMain} in a JVM of its own that can be stopped and continued. For one thread. */
final class HolderProcess implements AutoCloseable {

    private final Process process;
    private final BufferedReader lines;
    private final Writer input;

    private HolderProcess(Process process) {
        this.process = process;
        this.lines = process.inputReader(StandardCharsets.UTF_8);
        this.input = process.outputWriter(StandardCharsets.UTF_8);
        // a stopped process would outlive this one for ever
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly, "end-holder"));
    }

    static HolderProcess start(String name, Guarding guarding, int quantity, Duration ttl, Holder.Servers servers) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", // it lives for a moment: a quick start counts
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty("java.class.path"),
                HolderMain.class.getName(),
                name,
                guarding.name(),
                String.valueOf(quantity),
                String.valueOf(ttl.toMillis())));
        command.addAll(servers.toArguments());
        try {
            return new HolderProcess(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException("The second JVM does not start", e);
        }
    }

    long pid() {
        return process.pid();
    }

    /** Hands each line to {@code tell} until {@code last} comes, which is kept back, or the process ends. */
    void tellUntil(String last, Consumer<String> tell) {
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.equals(last)) {
                    return;
                }
                tell.accept(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("The second JVM ended before it said " + last);
    }

    /** Hands each line to {@code tell} until the process ends. */
    void tellAll(Consumer<String> tell) {
        lines.lines().forEach(tell);
    }

    /** Stops the process as a whole, as a frozen VM would. It keeps its connections and does nothing. */
    void stop() {
        signal("STOP");
    }

    /** Continues the stopped process. */
    void goOn() {
        signal("CONT");
    }

    /** Sends a line; a stopped process finds it when it goes on. */
    void send(String line) {
        try {
            input.write(line + "\n");
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void signal(String name) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                    .inheritIO()
                    .start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("kill -" + name + " " + process.pid() + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Stopping a process needs the command kill", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
