package io.github.fencedwrite.jdbi.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.examples.servers.RandomInputs;
import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.Rows;
import io.github.fencedwrite.jdbi.StatementRefusedException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A damaged statement that the guard takes for sound, and PostgreSQL too, changes no row that carries a newer token. */
class DamagedStatementsIT {

    private static final GuardSpec FIRST = GuardSpec.write(FenceMode.FIRST, Rows.MANY, "last_token");

    @Test
    void changeNoRowThatCarriesNewerToken() throws SQLException, InterruptedException {
        AtomicInteger executed = new AtomicInteger();
        try (Playground playground = new Playground()) {
            List<String> untouched = List.of(playground.untouched().split("\n"));
            RandomInputs.forEach("DamagedStatementsIT", 1_000, random -> {
                String sql = new StrangeText(random).damaged();
                Playground.Effect stale;
                try {
                    Guarded guarded = Guard.rewrite(sql, ParameterStyle.JDBI, FIRST);
                    stale = playground.guarded(guarded.statement(), Playground.TOKEN + 1);
                } catch (StatementRefusedException | SQLException e) {
                    return;
                }
                executed.incrementAndGet();
                assertThat(List.of(stale.rows().split("\n"))).as(sql).containsAll(untouched);
            });
        }
        System.out.println("DamagedStatementsIT: " + executed + " of them were valid");
    }
}
