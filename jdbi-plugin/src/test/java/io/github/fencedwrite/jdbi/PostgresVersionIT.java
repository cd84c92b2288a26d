package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.fencedwrite.examples.servers.ServerKind;
import io.github.fencedwrite.examples.servers.Servers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An execution of the tests that is meant for one version of PostgreSQL must have met that one. */
@Tag("contract")
class PostgresVersionIT {

    @Test
    void isTheOneThatIsMeant() {
        String expected = System.getProperty("expected.postgresql");
        assumeThat(expected).isNotNull();
        assumeThat(Servers.postgres()).as("only binaries are chosen by version").isEqualTo(ServerKind.EMBEDDED);
        String version = new InventoryFixture()
                .jdbi.withHandle(handle -> handle.createQuery("SHOW server_version")
                        .mapTo(String.class)
                        .one());
        assertThat(version).startsWith(expected + ".");
    }
}
