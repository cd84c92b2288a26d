package io.github.fencedwrite.examples.inventory.worker;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.fencedwrite.examples.inventory.worker.WorkerEvent.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A {@link WorkerMain} that can be stopped and continued as a whole, as a frozen virtual machine would be. Thread
 * safe.
 */
public final class WorkerProcess implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int START_SECONDS = 60;

    private final String name;
    private final Process process;
    private final Writer input;
    private final Consumer<WorkerEvent> listener;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final Thread endAtExit;
    private boolean paused;

    private WorkerProcess(String name, Process process, Consumer<WorkerEvent> listener) {
        this.name = name;
        this.process = process;
        this.listener = listener;
        this.input = process.outputWriter(StandardCharsets.UTF_8);
        this.endAtExit = new Thread(process::destroyForcibly, "end-worker-" + name);
        Runtime.getRuntime().addShutdownHook(endAtExit); // a stopped process would outlive this one for ever
        Thread reader = new Thread(this::readEvents, "worker-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts a worker.
     *
     * @param listener gets its events, and when it is paused and resumed, on several threads
     */
    public static WorkerProcess start(String name, WorkerServers servers, Consumer<WorkerEvent> listener) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", // a quick start counts
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty("java.class.path"),
                WorkerMain.class.getName(),
                name));
        command.addAll(servers.toArguments());
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            return new WorkerProcess(name, process, listener);
        } catch (IOException e) {
            throw new UncheckedIOException("Worker " + name + " does not start", e);
        }
    }

    private void readEvents() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                WorkerEvent event = JSON.readValue(line, WorkerEvent.class);
                if (event.kind() == Kind.READY) {
                    ready.countDown();
                }
                listener.accept(event);
            }
        } catch (IOException e) {
            // the process was ended
        }
    }

    /**
     * Waits until it takes commands.
     *
     * @throws IllegalStateException if it does not within a minute
     */
    public WorkerProcess awaitReady() {
        try {
            if (!ready.await(START_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Worker " + name + " did not start within " + START_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return this;
    }

    /** Its name. */
    public String name() {
        return name;
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    /** Whether it is stopped. */
    public synchronized boolean isPaused() {
        return paused;
    }

    /** Stops the process (SIGSTOP). It keeps its connections and does nothing. */
    public synchronized void pause() {
        if (!paused) {
            signal("STOP");
            paused = true;
            listener.accept(WorkerEvent.ofProcess(name, Kind.PAUSED, "is stopped (SIGSTOP to process " + pid() + ")"));
        }
    }

    /** Continues the stopped process (SIGCONT). */
    public synchronized void resume() {
        if (paused) {
            paused = false;
            listener.accept(WorkerEvent.ofProcess(name, Kind.RESUMED, "goes on (SIGCONT)"));
            signal("CONT");
        }
    }

    /** Sends a command; a stopped process finds it when it goes on. */
    public synchronized void send(WorkerCommand command) {
        try {
            input.write(JSON.writeValueAsString(command) + "\n");
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("Worker " + name + " does not run any more", e);
        }
    }

    private void signal(String signal) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid()))
                    .inheritIO()
                    .start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("kill -" + signal + " " + process.pid() + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Stopping a process needs the command kill", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Ends the process, stopped or not. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            Runtime.getRuntime().removeShutdownHook(endAtExit);
        } catch (IllegalStateException e) {
            // this process is ending, too
        }
    }
}
