package io.github.fencedwrite.jdbi.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Imports between the packages of {@code internal} run one way, and only one package knows SQL Objects. */
class PackagesTest {

    private static final Path SOURCES = Path.of("src/main/java/io/github/fencedwrite/jdbi");
    private static final Pattern IMPORT =
            Pattern.compile("import (?:static )?io\\.github\\.fencedwrite\\.jdbi\\.internal\\.(\\w+)\\.");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sql         | ''",
                "postgres    | ''",
                "ownership   | postgres",
                "statement   | ownership postgres sql",
                "transaction | ownership postgres statement",
                "sqlobject   | ownership postgres sql statement transaction",
            })
    void importOnlyWhatLiesBelow(String name, String allowed) throws IOException {
        TreeSet<String> imported = new TreeSet<>();
        for (String source : sources(SOURCES.resolve("internal").resolve(name))) {
            IMPORT.matcher(source).results().map(match -> match.group(1)).forEach(imported::add);
        }
        imported.remove(name);
        assertThat(List.of(allowed.split(" "))).containsAll(imported);
    }

    @ParameterizedTest
    @CsvSource({"internal/sql", "internal/postgres", "internal/ownership", "internal/statement", "internal/transaction"
    })
    void doWithoutSqlObjects(String folder) throws IOException {
        assertThat(sources(SOURCES.resolve(folder)))
                .isNotEmpty()
                .noneMatch(source -> source.contains("org.jdbi.v3.sqlobject"));
    }

    private static List<String> sources(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(PackagesTest::read).toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
