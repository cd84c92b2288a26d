package io.github.fencedwrite.examples.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An {@link InventoryMain} in a JVM of its own, ended as an orchestrator would: by SIGTERM. */
final class InstanceProcess implements AutoCloseable {

    private static final Pattern LISTENS = Pattern.compile("(?:listens on port |on http://localhost:)(\\d+)");
    private static final int START_SECONDS = 90;

    private final Process process;
    private final CompletableFuture<Integer> port = new CompletableFuture<>();

    private InstanceProcess(Process process) {
        this.process = process;
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        Thread reader = new Thread(this::read, "instance-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    static InstanceProcess start(Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-Dorg.slf4j.simpleLogger.log.io.github.fencedwrite.examples=info",
                "-Dservers=" + System.getProperty("servers", "auto"),
                "-cp",
                System.getProperty("java.class.path"),
                InventoryMain.class.getName()));
        builder.environment().putAll(environment);
        return new InstanceProcess(builder.redirectErrorStream(true).start());
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher matcher = LISTENS.matcher(line);
                if (matcher.find()) {
                    port.complete(Integer.parseInt(matcher.group(1)));
                }
            }
        } catch (IOException e) {
            // the process was ended
        }
        port.completeExceptionally(new IllegalStateException("The instance ended before it listened"));
    }

    Api api() throws Exception {
        return new Api(port.get(START_SECONDS, TimeUnit.SECONDS));
    }

    /** All processes that it has started. */
    List<ProcessHandle> descendants() {
        return process.descendants().toList();
    }

    /** Sends a SIGTERM and waits for the end. */
    void terminate() throws InterruptedException {
        process.destroy();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
