package io.github.fencedwrite.jdbi.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.Rows;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Statements nobody has thought of. A run can be repeated with {@code -Dseed=N}. */
class RandomStatementsIT {

    private static final int STATEMENTS = 400;
    private static final GuardSpec FIRST = GuardSpec.write(FenceMode.FIRST, Rows.MANY, "last_token");

    @Test
    void doTheSameWithNewerTokenAndNothingWithOlderOne() throws SQLException {
        long given = Long.getLong("seed", 0);
        long seed = given == 0 ? System.nanoTime() : given;
        System.out.println("RandomStatementsIT: -Dseed=" + seed);
        RandomStatements statements = new RandomStatements(seed);
        int executed = 0;
        try (Playground playground = new Playground()) {
            String untouched = playground.untouched();
            for (int i = 0; i < STATEMENTS; i++) {
                String sql = statements.next();
                Playground.Effect plain;
                try {
                    plain = playground.plain(sql);
                } catch (SQLException e) {
                    continue; // no valid statement, or one that violates a constraint
                }
                executed++;
                Guarded guarded = Guard.rewrite(sql, ParameterStyle.JDBI, FIRST);
                assertThat(playground.guarded(guarded.statement(), 0))
                        .as("seed %s: %s", seed, sql)
                        .isEqualTo(plain);
                if (guarded.kind() != Guarded.Kind.INSERT) {
                    Playground.Effect stale = playground.guarded(guarded.statement(), Playground.TOKEN + 1);
                    assertThat(List.of(stale.rows().split("\n")))
                            .as("stale, seed %s: %s", seed, sql)
                            .containsAll(List.of(untouched.split("\n")));
                }
            }
        }
        assertThat(executed).as("valid statements").isGreaterThan(STATEMENTS / 2);
    }
}
