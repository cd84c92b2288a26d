package io.github.fencedwrite.examples.chaos;

import io.github.fencedwrite.examples.chaos.nemesis.Victim;
import io.github.fencedwrite.examples.chaos.worker.WorkerMain;
import io.github.fencedwrite.examples.chaos.worker.WorkerSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** A worker in a process of its own, and those that take its place. One thread at a time breaks it; others may read. */
final class WorkerProcess implements Victim, AutoCloseable {

    private static final int WITHIN_SECONDS = 180;

    private final IntFunction<WorkerSettings> settings;
    private final Runnable overtaken;
    private final CountDownLatch ready = new CountDownLatch(1);
    private int starts;
    private WorkerSettings current;
    private Process process;

    /**
     * Starts it.
     *
     * @param settings by the number of the start, from 1
     * @param overtaken runs whenever a straggler was overtaken
     */
    WorkerProcess(IntFunction<WorkerSettings> settings, Runnable overtaken) {
        this.settings = settings;
        this.overtaken = overtaken;
        this.current = settings.apply(++starts);
        this.process = launch();
        // a stopped process would outlive this one for ever
        Runtime.getRuntime().addShutdownHook(new Thread(this::kill, "end-worker"));
    }

    private Process launch() {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", // quick to start, which it does often
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                "-cp",
                System.getProperty("java.class.path"),
                WorkerMain.class.getName()));
        command.addAll(current.toArguments());
        try {
            Process started = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            Thread listener = new Thread(() -> listen(started), "listen-to-" + current.name());
            listener.setDaemon(true);
            listener.start();
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException("A worker does not start", e);
        }
    }

    private void listen(Process started) {
        try (BufferedReader lines = started.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.equals(WorkerMain.READY)) {
                    ready.countDown();
                } else if (line.equals(WorkerMain.OVERTAKEN)) {
                    overtaken.run();
                }
            }
        } catch (IOException killed) {
            // by the nemesis
        }
    }

    void awaitFirstReady() throws InterruptedException {
        if (!ready.await(WITHIN_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(current.name() + " does not get ready");
        }
    }

    @Override
    public String name() {
        return current.name();
    }

    @Override
    public void stop() {
        signal("STOP");
    }

    @Override
    public void goOn() {
        signal("CONT");
    }

    @Override
    public void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    @Override
    public void startAgain() {
        current = settings.apply(++starts);
        process = launch();
    }

    /** Tells it to come to an end. */
    void end() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitEnd() throws InterruptedException {
        if (!process.waitFor(WITHIN_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(current.name() + " does not come to an end");
        }
        if (process.exitValue() != 0) {
            throw new IllegalStateException(current.name() + " ended with " + process.exitValue());
        }
    }

    private void signal(String name) {
        try {
            int exit = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException(current.name() + " has ended by itself");
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
        kill();
    }
}
