package io.github.fencedwrite.jdbi.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.examples.servers.RandomInputs;
import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.Rows;
import io.github.fencedwrite.jdbi.StatementRefusedException;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Any text is guarded or refused, soon; nothing else can happen to it. */
class StrangeTextTest {

    private static final List<String> COLUMNS = List.of("last_token", "Token", "sku", "a\"b", "i", "é");

    @Test
    void isGuardedOrRefusedAndNothingElse() throws InterruptedException {
        RandomInputs.forEach("StrangeTextTest", 5_000, random -> {
            String sql = new StrangeText(random).next();
            ParameterStyle dialect = random.nextBoolean() ? ParameterStyle.JDBI : ParameterStyle.JDBC;
            GuardSpec fence = fence(random);
            try {
                assertBindsWhatTheDriverSees(Guard.rewrite(sql, dialect, fence), dialect, fence.column());
            } catch (StatementRefusedException refusal) {
                assertThat(refusal.offset()).isBetween(0, sql.length());
                assertThat(refusal.getMessage()).isNotBlank();
            } catch (RuntimeException | AssertionError fault) {
                throw new AssertionError(dialect + " " + fence + ": " + sql, fault);
            }
        });
    }

    @Test
    void isNamedAsAWriteOfATableOrRefused() throws InterruptedException {
        RandomInputs.forEach("StrangeTextTest, tables", 5_000, random -> {
            String sql = new StrangeText(random).next();
            try {
                assertThat(WrittenTable.of(sql).target()).doesNotContainNull();
            } catch (StatementRefusedException refusal) {
                assertThat(refusal.offset()).isBetween(0, sql.length());
            } catch (RuntimeException fault) {
                throw new AssertionError(sql, fault);
            }
        });
    }

    private static void assertBindsWhatTheDriverSees(Guarded guarded, ParameterStyle dialect, String column) {
        Template.Rendered rendered = guarded.statement().forJdbc();
        assertThat(Scanner.scan(rendered.sql(), ParameterStyle.JDBC).stream()
                        .filter(Lexeme::isParameter)
                        .count())
                .as("parameters of %s", rendered.sql())
                .isEqualTo(rendered.slots().size());
        if (guarded.kind() != Guarded.Kind.PLACED) {
            String again = guarded.statement().forParser(dialect == ParameterStyle.JDBI ? ":t" : "?");
            GuardSpec other = GuardSpec.write(FenceMode.FIRST, Rows.MANY, column);
            assertThatThrownBy(() -> Guard.rewrite(again, dialect, other))
                    .as("a guarded statement names the token column: %s", again)
                    .isInstanceOf(StatementRefusedException.class);
        }
    }

    private static GuardSpec fence(SplittableRandom random) {
        return new GuardSpec(
                random.nextInt(4) == 0,
                random.nextBoolean() ? FenceMode.FIRST : FenceMode.CLAIMED,
                random.nextBoolean() ? Rows.ONE : Rows.MANY,
                random.nextInt(3) > 0 ? "last_token" : COLUMNS.get(random.nextInt(COLUMNS.size())),
                random.nextBoolean());
    }
}
