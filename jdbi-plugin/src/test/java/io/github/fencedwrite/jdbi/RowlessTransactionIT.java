package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.FencingToken;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jdbi.v3.sqlobject.statement.GetGeneratedKeys;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Transactions without a fence row: limits and the transaction's id come along with the first statement, whatever that is. */
@Tag("contract")
class RowlessTransactionIT {

    private final InventoryFixture inventory = new InventoryFixture();
    private final BreakingDataSource counting = new BreakingDataSource(inventory.database.dataSource());
    private final Jdbi jdbi =
            Jdbi.create(counting).installPlugin(new SqlObjectPlugin()).installPlugin(new FencingPlugin());
    private final FencedTransactions fencing = Fencing.of(jdbi).withoutFenceRow();

    interface Dao {
        @Claim
        @SqlQuery("SELECT current_setting('lock_timeout') FROM inventory WHERE sku = '4711'")
        String claim(FencingToken token);

        @Claim(rows = Rows.MANY)
        @SqlQuery("SELECT current_setting('lock_timeout') FROM inventory ORDER BY sku")
        List<String> claimAll(FencingToken token);

        @Fenced
        @SqlQuery("UPDATE inventory SET stock = 1 WHERE sku = '4711' RETURNING current_setting('lock_timeout')")
        String setAndReturn(FencingToken token);

        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = 1 WHERE sku = '4711'")
        int set(FencingToken token);

        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = 1 WHERE sku = '4711'")
        @GetGeneratedKeys("stock")
        int setAndReturnKey(FencingToken token);

        @Fenced
        @SqlBatch("UPDATE inventory SET stock = :stock WHERE sku = '4711'")
        int[] setAll(List<Integer> stock, FencingToken token);

        @Fenced(retry = true)
        @SqlUpdate("INSERT INTO inventory (sku, stock) VALUES ('new', 1)")
        int insert(FencingToken token);

        @SqlUpdate("UPDATE inventory SET stock = 1 WHERE sku = '4711'")
        int plain();
    }

    private static String timeout(Handle handle) {
        return handle.createQuery("SHOW lock_timeout").mapTo(String.class).one();
    }

    @Test
    void limitsComeBeforeTheFirstStatement() {
        List<BiFunction<Dao, FencingToken, Object>> kinds = List.of(
                Dao::claim,
                (dao, token) -> dao.claimAll(token).get(0),
                Dao::setAndReturn,
                Dao::set,
                Dao::setAndReturnKey,
                (dao, token) -> dao.setAll(List.of(1), token)[0],
                Dao::insert,
                (dao, token) -> dao.plain());
        List<Integer> statements = new ArrayList<>();
        long token = 5;
        for (var first : kinds) {
            int before = counting.executions();
            fencing.inTransaction(TestLease.of("sku:4711", ++token), (handle, t) -> {
                Object answer = first.apply(handle.attach(Dao.class), t);
                statements.add(counting.executions() - before);
                if (answer instanceof String seenByItself) {
                    assertThat(seenByItself).endsWith("s");
                } else {
                    assertThat(answer).isEqualTo(1);
                }
                assertThat(timeout(handle)).endsWith("s");
                return null;
            });
        }
        // one statement goes ahead; a claim of several rows also takes their locks and looks for newer tokens
        assertThat(statements).containsExactly(2, 4, 2, 2, 2, 2, 2, 2);
    }

    @Test
    void staleClaimIsToldAsEver() {
        Dao dao = jdbi.onDemand(Dao.class);
        dao.set(FencingToken.of(9));
        org.assertj.core.api.Assertions.assertThatThrownBy(
                        () -> fencing.inTransaction(TestLease.of("sku:4711", 8), (handle, t) -> dao.claim(t)))
                .isInstanceOf(StaleTokenException.class);
        assertThat(fencing.<String, RuntimeException>inTransaction(
                        TestLease.of("sku:4711", 10), (handle, t) -> dao.claim(t)))
                .endsWith("s");
    }

    @Test
    void nestedSectionGivesTheLimitsBack() {
        fencing.inTransaction(new TestLease("sku:4711", 8, java.time.Duration.ofHours(2)), (handle, t) -> {
            handle.attach(Dao.class).claim(t);
            assertThat(timeout(handle)).isNotEqualTo("0");
            fencing.inTransaction(TestLease.of("other", 8), inner -> {
                assertThat(timeout(inner)).matches("\\d+ms|\\d+s");
                return null;
            });
            assertThat(timeout(handle)).as("two hours, or almost").matches("7[12]\\d{5}ms|7[12]\\d\\ds|2h");
            return null;
        });
    }
}
