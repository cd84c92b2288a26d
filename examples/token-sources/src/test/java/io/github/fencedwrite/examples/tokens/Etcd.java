package io.github.fencedwrite.examples.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/** One etcd server on loopback, from the program of this machine. */
final class Etcd implements AutoCloseable {

    private final Path directory;
    private final Process process;
    private final URI uri;

    private Etcd(Path directory, Process process, URI uri) {
        this.directory = directory;
        this.process = process;
        this.uri = uri;
    }

    /** Starts a server, or ends the test where the program is missing: as a failure with {@code -Dtools=required}. */
    static Etcd start() throws IOException {
        String program = program();
        Path directory = Files.createTempDirectory("etcd");
        URI client = URI.create("http://127.0.0.1:" + freePort());
        String peer = "http://127.0.0.1:" + freePort();
        Process process = new ProcessBuilder(List.of(
                        program,
                        "--data-dir=" + directory.resolve("data"),
                        "--listen-client-urls=" + client,
                        "--advertise-client-urls=" + client,
                        "--listen-peer-urls=" + peer,
                        "--initial-advertise-peer-urls=" + peer,
                        "--initial-cluster=default=" + peer))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        Etcd etcd = new Etcd(directory, process, client);
        try {
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(etcd::isHealthy);
        } catch (RuntimeException e) {
            e.addSuppressed(new IOException(Files.readString(directory.resolve("log"))));
            etcd.close();
            throw e;
        }
        return etcd;
    }

    URI uri() {
        return uri;
    }

    private boolean isHealthy() throws InterruptedException {
        assertThat(process.isAlive()).isTrue();
        try {
            return HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri.resolve("/health")).build(), HttpResponse.BodyHandlers.ofString())
                    .body()
                    .contains("true");
        } catch (IOException notYet) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static String program() {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(directory -> Path.of(directory, "etcd"))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElseGet(Etcd::missing);
    }

    private static String missing() {
        String what = "this machine has no etcd (Debian: etcd-server)";
        if ("required".equals(System.getProperty("tools"))) {
            return fail("-Dtools=required, but " + what);
        }
        Assumptions.abort("not run: " + what);
        throw new AssertionError("unreachable");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
