package io.github.fencedwrite.examples.firststeps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FirstStepsIT {

    private static OnNewServers servers;
    private static Jdbi jdbi;

    @BeforeAll
    static void start() {
        servers = new OnNewServers();
        jdbi = Jdbi.create(servers.database.dataSource());
        InventoryTable.createIn(servers.addresses()[0]);
    }

    @AfterAll
    static void stop() {
        servers.close();
    }

    @BeforeEach
    void tenPieces() {
        jdbi.useHandle(handle -> handle.execute("UPDATE inventory SET stock = 10"));
    }

    @Test
    void aGuardedUpdateSetsTheStock() {
        GuardedUpdate.main(servers.addresses());

        assertThat(number("SELECT stock FROM inventory")).isEqualTo(42);
    }

    @Test
    void aClaimedRowSellsWhatIsThere() {
        ClaimedRow.main(servers.addresses());
        assertThat(number("SELECT stock FROM inventory")).isEqualTo(9);

        jdbi.useHandle(handle -> handle.execute("UPDATE inventory SET stock = 0"));
        ClaimedRow.main(servers.addresses());
        assertThat(number("SELECT stock FROM inventory")).isZero();
    }

    @Test
    void aFencedTransactionWritesBothTables() {
        FencedTransaction.main(servers.addresses());

        assertThat(number("SELECT stock FROM inventory")).isEqualTo(8);
        assertThat(number("SELECT sum(quantity) FROM sale")).isEqualTo(2);
    }

    @Test
    void plainJdbcSellsWhatIsThere() throws Exception {
        PlainJdbc.main(servers.addresses());
        assertThat(number("SELECT stock FROM inventory")).isEqualTo(9);

        jdbi.useHandle(handle -> handle.execute("UPDATE inventory SET stock = 0"));
        PlainJdbc.main(servers.addresses());
        assertThat(number("SELECT stock FROM inventory")).isZero();
    }

    @Test
    void eachProgramIsReadInOneSitting() throws IOException {
        try (Stream<Path> files =
                Files.list(Path.of("src/main/java", getClass().getPackageName().replace('.', '/')))) {
            List<Path> programs = files.toList();
            assertThat(programs).hasSize(6);
            for (Path program : programs) {
                assertThat(Files.readAllLines(program)).as(program.toString()).hasSizeLessThan(60);
            }
        }
    }

    private static int number(String sql) {
        return jdbi.withHandle(
                handle -> handle.createQuery(sql).mapTo(Integer.class).one());
    }
}
