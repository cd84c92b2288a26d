package io.github.fencedwrite.examples.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What each kind of file may know: a reader who looks for SQL, locks or HTTP finds them by the name of the file. */
class LayersTest {

    private static final Path SOURCES = Path.of("src/main/java/io/github/fencedwrite/examples/inventory");
    private static final List<String> FEATURES = List.of("product", "stock", "reservation", "transfer", "idempotency");

    @Test
    void theDomainKnowsNeitherRedisNorSqlNorHttp() {
        features()
                .filter(file -> !name(file).matches(".*(Dao|Service|Routes|Expiry|IdempotencyKeys)"))
                .forEach(file -> assertThat(imports(file))
                        .as(file.toString())
                        .noneMatch(name -> name.contains("jdbi")
                                || name.contains("javalin")
                                || name.startsWith("java.sql")
                                || name.matches("io\\.github\\.fencedwrite\\.[A-Z].*")));
    }

    @Test
    void onlyDataAccessHasSql() {
        features()
                .filter(file -> !name(file).matches(".*Dao|IdempotencyKeys"))
                .forEach(file -> assertThat(imports(file))
                        .as(file.toString())
                        .noneMatch(name -> name.contains("sqlobject.statement") || name.startsWith("java.sql")));
    }

    @Test
    void routesKnowNeitherLocksNorTheDatabase() {
        features()
                .filter(file -> name(file).endsWith("Routes"))
                .forEach(file -> assertThat(imports(file))
                        .as(file.toString())
                        .noneMatch(
                                name -> name.contains("jdbi") || name.matches("io\\.github\\.fencedwrite\\.[A-Z].*")));
    }

    @Test
    void theServiceKnowsNothingOfStoriesWorkersAndPage() {
        files(SOURCES)
                .filter(file -> !file.toString().matches(".*/(story|worker|page|local)/.*|.*InventoryMain.java"))
                .forEach(file -> assertThat(imports(file))
                        .as(file.toString())
                        .noneMatch(name ->
                                name.matches(".*inventory\\.(story|worker|page|local)\\..*|.*examples\\.servers.*")));
    }

    private static Stream<Path> features() {
        return FEATURES.stream().flatMap(feature -> files(SOURCES.resolve(feature)));
    }

    private static Stream<Path> files(Path directory) {
        try {
            List<Path> found;
            try (Stream<Path> all = Files.walk(directory)) {
                found = all.filter(file -> file.toString().endsWith(".java")).toList();
            }
            assertThat(found).isNotEmpty();
            return found.stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    private static List<String> imports(Path file) {
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> line.startsWith("import "))
                    .map(line -> line.replaceAll("import (static )?|;", ""))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
