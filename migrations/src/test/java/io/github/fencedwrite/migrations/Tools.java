package io.github.fencedwrite.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Programs of this machine that some tests need: where they are missing, the test fails with {@code -Dtools=required}, and
 * otherwise reports that it did not run.
 */
final class Tools {

    private Tools() {}

    /** The directory with the newest installed PostgreSQL, server and clients; Debian's place. */
    static Path postgresql() {
        try (Stream<Path> versions = Files.list(Path.of("/usr/lib/postgresql"))) {
            Optional<Path> newest = versions.map(version -> version.resolve("bin"))
                    .filter(bin ->
                            Files.isExecutable(bin.resolve("initdb")) && Files.isExecutable(bin.resolve("pg_dump")))
                    .max(Comparator.naturalOrder());
            if (newest.isPresent()) {
                return newest.get();
            }
        } catch (IOException noSuchDirectory) {
            // reported below
        }
        throw missing("a PostgreSQL server with its clients (Debian: postgresql)");
    }

    /** A program on the path. */
    static Path program(String name, String debianPackage) {
        return Stream.of((System.getenv("PATH") + ":/usr/sbin").split(":"))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> missing(name + " (Debian: " + debianPackage + ")"));
    }

    private static RuntimeException missing(String what) {
        if ("required".equals(System.getProperty("tools"))) {
            return fail("-Dtools=required, but this machine has no " + what);
        }
        System.out.println("not run: this machine has no " + what);
        Assumptions.abort("not run: this machine has no " + what);
        throw new AssertionError("unreachable");
    }

    /** A command as a user that servers agree to run as: root is refused by PostgreSQL and PgBouncer. */
    static List<String> unprivileged(Object... command) {
        List<String> all = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            all.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
        }
        for (Object word : command) {
            all.add(word.toString());
        }
        return all;
    }

    /** Lets such a user write to a directory. */
    static void open(Path directory) throws IOException, InterruptedException {
        if ("root".equals(System.getProperty("user.name"))) {
            run(List.of("chown", "nobody", directory.toString()));
        }
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Runs a command to its end, which must be a success, and returns what it printed. */
    static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s%n%s", command, output).isZero();
        return output;
    }
}
