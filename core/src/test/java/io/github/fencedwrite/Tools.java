package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * What some tests need of this machine: where it is missing, the test fails with {@code -Dtools=required}, and otherwise
 * reports that it did not run.
 */
final class Tools {

    private Tools() {}

    /** The library that makes a program see another time; Debian's place. */
    static Path libfaketime() {
        try (Stream<Path> architectures = Files.list(Path.of("/usr/lib"))) {
            Optional<Path> found = architectures
                    .map(directory -> directory.resolve("faketime").resolve("libfaketime.so.1"))
                    .filter(Files::isReadable)
                    .findFirst();
            if (found.isPresent()) {
                return found.get();
            }
        } catch (IOException noSuchDirectory) {
            // reported below
        }
        String missing = "this machine has no libfaketime (Debian: libfaketime)";
        if ("required".equals(System.getProperty("tools"))) {
            return fail("-Dtools=required, but " + missing);
        }
        Assumptions.abort("not run: " + missing);
        throw new AssertionError("unreachable");
    }
}
