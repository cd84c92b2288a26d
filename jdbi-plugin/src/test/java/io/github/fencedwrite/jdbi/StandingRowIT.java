package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A row that stands there is never told as missing, and one that was written never as refused. */
@Tag("contract")
class StandingRowIT {

    private final InventoryFixture inventory = new InventoryFixture();

    public interface Dao {
        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku RETURNING stock")
        int setAndReturn(String sku, int stock, FencingToken token);

        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku RETURNING stock")
        WriteOutcome outcome(String sku, int stock, FencingToken token);

        @Fenced
        @SqlBatch("UPDATE inventory SET stock = :stock WHERE sku = :sku RETURNING stock")
        int[] setAll(List<String> sku, int stock, FencingToken token);

        @Fenced
        @SqlBatch("UPDATE inventory SET stock = :stock WHERE sku = :sku RETURNING stock")
        List<WriteOutcome> outcomes(List<String> sku, int stock, FencingToken token);

        @Claim
        @SqlQuery("SELECT stock FROM inventory WHERE sku = :sku")
        List<Integer> claim(String sku, FencingToken token);
    }

    private static FencingToken token(long value) {
        return FencingToken.of(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE inventory SET stock = 5 WHERE sku = '4711'",
                "DELETE FROM inventory WHERE sku = '4711'",
            })
    void thatWasInsertedAnewIsNotMissing(String sql) throws Exception {
        WriteOutcome told = whileTheRowIsReplaced(() -> inventory.jdbi.withHandle(
                handle -> Fencing.fence(handle.createUpdate(sql), token(8)).execute()));
        assertThat(told).isEqualTo(new WriteOutcome.Retryable(""));
        assertThat(inventory.stock("4711")).isEqualTo(1);
    }

    @Test
    void thatWasInsertedAnewIsNoEmptyClaim() throws Exception {
        Object told = whileTheRowIsReplaced(() -> {
            try {
                return inventory.jdbi.onDemand(Dao.class).claim("4711", token(8));
            } catch (RetryableWriteException e) {
                assertThat(e).hasMessageContaining("inserted anew");
                return e.outcome();
            }
        });
        assertThat(told).isEqualTo(new WriteOutcome.Retryable(""));
    }

    private <R> R whileTheRowIsReplaced(java.util.concurrent.Callable<R> write) throws Exception {
        try (Handle other = inventory.jdbi.open()) {
            other.begin();
            other.execute("DELETE FROM inventory WHERE sku = '4711'");
            other.execute("INSERT INTO inventory (sku, stock) VALUES ('4711', 1)");
            Concurrent<R> waiting = Concurrent.start(write);
            waiting.awaitLock(inventory.jdbi);
            other.commit();
            return waiting.join();
        }
    }

    @Test
    void thatAnUpsertMetIsNeverMissing() {
        inventory.jdbi.useHandle(handle -> {
            handle.execute("CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'");
            handle.execute("CREATE TRIGGER keep BEFORE UPDATE ON inventory FOR EACH ROW EXECUTE FUNCTION keep()");
            String upsert =
                    "INSERT INTO inventory (sku, stock) VALUES ('4711', 5) ON CONFLICT (sku) DO UPDATE SET stock = 5";
            assertThat(Fencing.fence(handle.createUpdate(upsert), token(8)).execute())
                    .isEqualTo(new WriteOutcome.Retryable(""));
        });
    }

    @Test
    void returnsNothingButItsCountIsKnown() {
        Dao dao = inventory.jdbi.onDemand(Dao.class);
        assertThat(dao.setAndReturn("4711", 5, token(8))).isEqualTo(1);
        assertThat(dao.setAndReturn("none", 5, token(8))).isZero();
        assertThat(dao.outcome("4711", 5, token(9))).isEqualTo(new WriteOutcome.Applied(1));
        assertThatThrownBy(() -> dao.setAndReturn("4711", 5, token(7))).isInstanceOf(StaleTokenException.class);
    }

    @Test
    void returnsRowsInABatchAsWithout() {
        Dao dao = inventory.jdbi.onDemand(Dao.class);
        assertThat(dao.setAll(List.of("4711", "none", "4712"), 5, token(8))).containsExactly(1, 0, 1);
        assertThat(dao.outcomes(List.of("4713", "none", "4711"), 6, token(8)))
                .containsExactly(
                        new WriteOutcome.Applied(1),
                        new WriteOutcome.NotFound(),
                        new WriteOutcome.AlreadyWritten(token(8)));
        assertThatThrownBy(() -> dao.setAll(List.of("4711", "4712"), 7, token(7)))
                .isInstanceOf(StaleTokenException.class);
        assertThat(inventory.stock("4713")).isEqualTo(6);
    }

    @Test
    void ofACteIsNotTakenForThatOfTheTable() {
        inventory.jdbi.useHandle(handle -> {
            String cte = "WITH inventory AS (SELECT * FROM inventory WHERE place = 'Z') ";
            assertThatThrownBy(() -> Fencing.fence(
                                    handle.createUpdate(cte + "UPDATE inventory SET stock = 5 WHERE sku = '4711'"),
                                    token(8))
                            .execute())
                    .isInstanceOf(StatementRefusedException.class)
                    .hasMessageContaining("WITH");
            assertThatThrownBy(() -> Fencing.claim(
                                    handle.createQuery(cte + "SELECT * FROM Inventory WHERE sku = '4711'"), token(8))
                            .query()
                            .mapToMap()
                            .list())
                    .isInstanceOf(StatementRefusedException.class);
            assertThat(Fencing.fence(
                                    handle.createUpdate(
                                            cte + "UPDATE public.inventory SET stock = 5 WHERE sku = '4711'"),
                                    token(8))
                            .execute())
                    .isEqualTo(new WriteOutcome.Applied(1));
        });
    }
}
