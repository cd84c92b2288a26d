package io.github.fencedwrite.jdbi.internal.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.Rows;
import io.github.fencedwrite.jdbi.StatementRefusedException;
import io.github.fencedwrite.jdbi.internal.postgres.SqlStates;
import io.github.fencedwrite.jdbi.internal.sql.GuardSpec;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which statements a guarding scope guards, lets pass and refuses, and which SQLSTATEs mean what. */
class ScopeTest {

    private static final GuardSpec FENCE = GuardSpec.write(FenceMode.FIRST, Rows.ONE, GuardSpec.COLUMN);
    private final Scope scope = Scope.of(PresentedToken.of(FencingToken.of(7)))
            .withTable("public.inventory", FENCE)
            .withTable("\"Audit\"", null);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            UPDATE inventory SET stock = 1             | guarded
            UPDATE public.inventory SET stock = 1      | guarded
            DELETE FROM ONLY INVENTORY                 | guarded
            INSERT INTO inventory (a) VALUES (1)       | guarded
            INSERT INTO "Audit" (a) VALUES (1)         | free
            INSERT INTO app."Audit" (a) VALUES (1)     | free
            SELECT * FROM inventory                    | free
            INSERT INTO audit (a) VALUES (1)           | refused
            UPDATE other.inventory SET stock = 1       | refused
            TRUNCATE inventory                         | refused
            MERGE INTO inventory USING x ON true       | refused
            """)
    void decidesByTheTable(String sql, String decision) {
        if (decision.equals("refused")) {
            assertThatThrownBy(() -> scope.callFor(sql, false)).isInstanceOf(StatementRefusedException.class);
        } else {
            FencedCall call = scope.callFor(sql, false);
            assertThat(call != null).isEqualTo(decision.equals("guarded"));
            if (call != null) {
                assertThat(call.token(0)).isEqualTo(FencingToken.of(7));
                assertThat(call.fence()).isEqualTo(FENCE);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "40001, true, false",
        "40P01, true, false",
        "55P03, true, false",
        "57014, true, false",
        "25P03, true, false",
        "0A000, false, false",
        "08006, false, true",
        "57P01, false, true",
        "23505, false, false",
        "'', false, false"
    })
    void tellsTheKindsOfSqlStates(String state, boolean retryable, boolean lost) {
        assertThat(SqlStates.isRetryable(new SQLException("x", state))).isEqualTo(retryable);
        assertThat(SqlStates.isConnectionLost(state)).isEqualTo(lost);
    }

    @Test
    void findsTheSqlExceptionAmongTheCauses() {
        SQLException sql = new SQLException("x", "40001");
        assertThat((Throwable) SqlStates.find(new IllegalStateException(new RuntimeException(sql))))
                .isSameAs(sql);
        assertThat((Throwable) SqlStates.find(sql)).isSameAs(sql);
        assertThat((Throwable) SqlStates.find(new RuntimeException())).isNull();
        assertThat((Throwable) SqlStates.find(null)).isNull();
        assertThat((Throwable) SqlStates.find(wrapped(sql, 19))).isSameAs(sql);
        assertThat((Throwable) SqlStates.find(wrapped(sql, 20)))
                .as("causes may go in a circle")
                .isNull();
        assertThat(SqlStates.of(sql)).isEqualTo("40001");
        assertThat(SqlStates.of(new SQLException("x"))).isEmpty();
    }

    private static Throwable wrapped(Throwable thrown, int times) {
        return times == 0 ? thrown : new RuntimeException(wrapped(thrown, times - 1));
    }
}
