package io.github.fencedwrite.jdbi.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.Rows;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each statement of the corpus is run in both forms on PostgreSQL, and the effects are compared. */
class CorpusIT {

    private static final GuardSpec FIRST = GuardSpec.write(FenceMode.FIRST, Rows.MANY, "last_token");
    private static final GuardSpec CLAIMED = GuardSpec.write(FenceMode.CLAIMED, Rows.MANY, "last_token");

    private static Playground playground;

    @BeforeAll
    static void open() throws SQLException {
        playground = new Playground();
    }

    @AfterAll
    static void close() throws SQLException {
        playground.close();
    }

    static List<String> statements() {
        return Arrays.stream(Playground.resource("corpus.sql").split("(?m)^----$"))
                .skip(1)
                .map(String::strip)
                .toList();
    }

    record Refused(String at, String sql) {}

    static Stream<Refused> refused() {
        return Arrays.stream(Playground.resource("corpus-refused.sql").split("(?m)^---- "))
                .skip(1)
                .map(block -> block.split("\n", 2))
                .map(parts -> new Refused(parts[0], parts[1].strip()));
    }

    @Test
    void isLargeEnough() {
        assertThat(statements().size() + refused().count()).isGreaterThanOrEqualTo(150);
        assertThat(statements()).hasSizeGreaterThanOrEqualTo(150).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("statements")
    void doesTheSameWithNewerToken(String sql) throws SQLException {
        Playground.Effect plain = playground.plain(sql);
        for (boolean announcing : new boolean[] {false, true}) {
            Guarded guarded = Guard.rewrite(sql, ParameterStyle.JDBI, FIRST.withAnnouncing(announcing));
            assertThat(playground.guarded(guarded.statement(), 0)).isEqualTo(plain);
            if (guarded.kind() != Guarded.Kind.INSERT) {
                Guarded claimed = Guard.rewrite(sql, ParameterStyle.JDBI, CLAIMED.withAnnouncing(announcing));
                assertThat(playground.guarded(claimed.statement(), Playground.TOKEN))
                        .isEqualTo(plain);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("statements")
    void changesNoRowThatCarriesNewerToken(String sql) throws SQLException {
        Guarded guarded = Guard.rewrite(sql, ParameterStyle.JDBI, FIRST);
        String untouched = playground.untouched();
        for (long stored : new long[] {Playground.TOKEN, Playground.TOKEN + 1}) {
            if (guarded.kind() == Guarded.Kind.INSERT) {
                continue;
            }
            Playground.Effect effect = playground.guarded(guarded.statement(), stored);
            assertThat(List.of(effect.rows().split("\n"))).containsAll(List.of(untouched.split("\n")));
            if (guarded.kind() != Guarded.Kind.UPSERT) {
                assertThat(effect.count()).isZero();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("statements")
    void probesTheRowsThatAreMeant(String sql) throws SQLException {
        Playground.Effect plain = playground.plain(sql);
        Guarded guarded = Guard.rewrite(sql, ParameterStyle.JDBI, FIRST);
        if (guarded.probe() == null) {
            assertThat(guarded.kind()).isIn(Guarded.Kind.INSERT, Guarded.Kind.UPSERT);
            return;
        }
        long[] probed = playground.probe(guarded.probe(), Playground.TOKEN + 1);
        if (guarded.kind() != Guarded.Kind.UPSERT) {
            assertThat(probed[0]).as("rows").isGreaterThanOrEqualTo(plain.count());
            assertThat(probed[0] > 0).isEqualTo(plain.count() > 0);
        }
        assertThat(probed[1]).as("all of them newer").isEqualTo(probed[0]);
        assertThat(probed[4]).isEqualTo(probed[0] == 0 ? 0 : Playground.TOKEN + 1);
    }
}
