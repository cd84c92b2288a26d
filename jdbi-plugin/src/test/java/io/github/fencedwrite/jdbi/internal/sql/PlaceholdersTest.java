package io.github.fencedwrite.jdbi.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.Rows;
import io.github.fencedwrite.jdbi.StatementRefusedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlaceholdersTest {

    private static final GuardSpec FIRST = GuardSpec.write(FenceMode.FIRST, Rows.ONE, "last_token");

    private static Guarded place(String sql, GuardSpec fence) {
        return Guard.rewrite(sql, ParameterStyle.JDBI, fence);
    }

    @Test
    void placesEachFragment() {
        String sql = "COPY {fence.token} A {fence.set} B {FENCE.GUARD} C {fence.guard x} D";
        assertThat(place(sql, FIRST).statement().forParser(":t"))
                .isEqualTo("COPY :t A last_token = :t B last_token < :t C x.last_token < :t D");
        assertThat(place(sql, FIRST.withAnnouncing(true)).statement().forParser(":t"))
                .isEqualTo("COPY set_config('fencing.token', CAST(:t AS text), true)::bigint A last_token ="
                        + " set_config('fencing.token', CAST(:t AS text), true)::bigint B last_token < :t C"
                        + " x.last_token < :t D");
    }

    @Test
    void comparesAsTheFenceDemands() {
        GuardSpec claimed = GuardSpec.write(FenceMode.CLAIMED, Rows.ONE, "Token");
        assertThat(place("{fence.guard}", claimed).statement().forParser(":t")).isEqualTo("\"Token\" = :t");
        assertThat(place("{fence.guard}", GuardSpec.claim(Rows.ONE, "last_token"))
                        .statement()
                        .forParser(":t"))
                .isEqualTo("last_token <= :t");
    }

    @ParameterizedTest
    @CsvSource({"'{fence.guard} RETURNING *', true", "'{fence.guard} \"RETURNING\"', false"})
    void tellsNothingButWhetherRowsComeBack(String sql, boolean returning) {
        Guarded placed = place(sql, FIRST);
        assertThat(placed.kind()).isEqualTo(Guarded.Kind.PLACED);
        assertThat(placed.returning()).isEqualTo(returning);
        assertThat(placed.lock()).isNull();
        assertThat(placed.probe()).isNull();
        assertThat(placed.conflict()).isNull();
        assertThat(placed.valuesRows()).isZero();
        assertThat(placed.keys()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            UPDATE i SET a = 1 WHERE {fence.guard i.j} | 25 | this marker is not closed
            UPDATE i SET a = 1 WHERE {fence.guard i    | 25 | this marker is not closed
            UPDATE i SET a = 1 WHERE {fence.guard      | 25 | this marker is not closed
            UPDATE i SET a = 1 WHERE {fence.           | 25 | this marker is not closed
            UPDATE i SET a = 1 WHERE {fence.gard i}    | 32 | this marker is not known
            UPDATE i SET a = 1, {fence.set} WHERE b    | 0  | {fence.guard} is missing
            """)
    void refusesWhatIsNoMarker(String sql, int offset, String reason) {
        assertThatThrownBy(() -> place(sql, FIRST))
                .isInstanceOfSatisfying(
                        StatementRefusedException.class,
                        refusal -> assertThat(refusal.offset()).isEqualTo(offset))
                .hasMessageContaining(reason);
    }

    @Test
    void leavesOtherBracesAlone() {
        assertThat(place("UPDATE i SET a = {fence}, b = {set.fence}", FIRST).kind())
                .isEqualTo(Guarded.Kind.UPDATE);
    }
}
