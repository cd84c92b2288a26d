package io.github.fencedwrite.examples.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of guarantees names tests and mutants; all of them are there. */
class GuaranteesTest {

    private static final Path ROOT = Path.of("../../..");
    private static final Pattern TEST = Pattern.compile("`(\\w+(?:IT|Test))#(\\w+)`");

    static List<String[]> rows() {
        return Mutant.read(ROOT.resolve("examples/lab/guarantees.md"))
                .lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| ---"))
                .skip(1)
                .map(line -> line.substring(2).split(" *\\| *"))
                .toList();
    }

    @Test
    void hasRows() {
        assertThat(rows())
                .hasSizeGreaterThan(10)
                .allSatisfy(row -> assertThat(row).hasSize(5));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void namesTestsThatExist(String guaranteed, String by, String shown, String broken, String not) throws IOException {
        assertThat(TEST.matcher(shown).results()).isNotEmpty();
        for (MatchResult name : TEST.matcher(shown + not).results().toList()) {
            assertThat(testSources(name.group(1)))
                    .as(name.group())
                    .anySatisfy(source -> assertThat(source).contains("void " + name.group(2) + "("));
        }
    }

    @ParameterizedTest
    @MethodSource("rows")
    void namesMutantsThatExist(String guaranteed, String by, String shown, String broken, String not) {
        List<String> names = MutantList.all(ROOT).stream().map(Mutant::name).toList();
        assertThat(names).contains(broken.split("; "));
    }

    /** The test class and, since it may inherit the method, the contract beside it. */
    private static List<String> testSources(String type) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().contains("/src/test/java/"))
                    .filter(file -> file.endsWith(type + ".java")
                            || file.endsWith(type.replaceFirst("(IT|Test)$", "Contract") + ".java"))
                    .map(Mutant::read)
                    .toList();
        }
    }
}
