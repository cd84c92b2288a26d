package io.github.fencedwrite.examples.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MutantListTest {

    private static final Path ROOT = Path.of("../../..");

    static List<Mutant> mutants() {
        return MutantList.all(ROOT);
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void changesATextThatIsStillThereAndNamesTestsThatAre(Mutant mutant) {
        assertThat(mutant.changed(ROOT)).isNotEqualTo(Mutant.read(mutant.source(ROOT)));
        for (String test : mutant.tests()) {
            String source = Mutant.read(mutant.testSource(ROOT, test));
            int hash = test.indexOf('#');
            if (hash >= 0 && !source.contains(" extends ")) {
                assertThat(source).containsPattern("void " + Pattern.quote(test.substring(hash + 1)) + "\\(");
            }
        }
    }

    @Test
    void namesEachMutantOnce() {
        assertThat(mutants()).map(Mutant::toString).doesNotHaveDuplicates().hasSizeGreaterThan(100);
    }
}
