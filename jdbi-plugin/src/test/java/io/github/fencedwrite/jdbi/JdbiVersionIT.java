package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;

import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObjects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Makes sure that the tests on the oldest Jdbi do run on that. */
@Tag("jdbi")
class JdbiVersionIT {

    @Test
    void isTheOneThatIsExpected() {
        String expected = System.getProperty("expected.jdbi", "");
        assertThat(Jdbi.class.getPackage().getImplementationVersion()).startsWith(expected);
        assertThat(SqlObjects.class.getPackage().getImplementationVersion()).startsWith(expected);
    }
}
