package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jdbi.v3.sqlobject.transaction.Transaction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A statement for several rows never says that all of them were written where one was refused. */
@Tag("contract")
class SeveralRowsIT {

    private final InventoryFixture inventory = new InventoryFixture();

    public interface Dao {
        @Transaction
        @Fenced(rows = Rows.MANY)
        @SqlUpdate("UPDATE inventory SET stock = stock + 1 WHERE place = 'A'")
        WriteOutcome add(FencingToken token);

        @Transaction
        @Fenced(rows = Rows.MANY, partial = true)
        @SqlUpdate("UPDATE inventory SET stock = stock + 1 WHERE place = 'A'")
        WriteOutcome addWhatCanBeAdded(FencingToken token);

        @Fenced(rows = Rows.MANY)
        @SqlBatch("UPDATE inventory SET place = 'moved' WHERE place = :place")
        List<WriteOutcome> move(List<String> place, FencingToken token);
    }

    private static FencingToken token(long value) {
        return FencingToken.of(value);
    }

    private void carry(String sku, long token) {
        inventory.jdbi.useHandle(
                handle -> handle.execute("UPDATE inventory SET last_token = ? WHERE sku = ?", token, sku));
    }

    private static WriteOutcome run(Handle handle, String sql, FenceMode mode, long token) {
        return Fencing.fence(handle.createUpdate(sql), token(token))
                .mode(mode)
                .rows(Rows.MANY)
                .partial(true)
                .execute();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE inventory SET stock = 0 WHERE place IN (SELECT place FROM inventory WHERE stock > 5)",
                "UPDATE inventory SET place = 'Z' WHERE place IN ('A', 'B')",
                "UPDATE inventory AS i SET place = 'Z' FROM (VALUES ('A'), ('A'), ('B')) AS p (place) WHERE p.place = i.place",
                "UPDATE inventory i SET stock = 0 WHERE i.stock <= (SELECT max(stock) FROM inventory)",
                "WITH p AS (SELECT 'A' AS place UNION SELECT 'B') UPDATE inventory SET place = 'Z' FROM p"
                        + " WHERE p.place = inventory.place",
                "DELETE FROM inventory WHERE place IN (SELECT place FROM inventory WHERE stock > 5)",
                "DELETE FROM inventory i USING inventory o WHERE o.place = i.place AND o.stock > 5",
                "DELETE FROM inventory WHERE stock >= (SELECT min(stock) FROM inventory)",
            })
    void findWhatWasRefusedInTheStateBefore(String sql) {
        carry("4712", 9);
        inventory.jdbi.useTransaction(handle ->
                assertThat(run(handle, sql, FenceMode.FIRST, 8)).isEqualTo(new WriteOutcome.Partial(token(8), 2, 1)));
    }

    @ParameterizedTest
    @EnumSource(
            value = TransactionIsolationLevel.class,
            names = {"READ_COMMITTED", "REPEATABLE_READ", "SERIALIZABLE"})
    void missRowsThatWereNotClaimed(TransactionIsolationLevel level) {
        carry("4711", 8);
        inventory.jdbi.useTransaction(level, handle -> {
            assertThat(run(handle, "UPDATE inventory SET stock = 0", FenceMode.CLAIMED, 8))
                    .isEqualTo(new WriteOutcome.Partial(token(8), 1, 2));
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = TransactionIsolationLevel.class,
            names = {"READ_COMMITTED", "REPEATABLE_READ", "SERIALIZABLE"})
    void missRowsThatThisLeaseHasWritten(TransactionIsolationLevel level) {
        carry("4711", 8);
        inventory.jdbi.useTransaction(
                level,
                handle -> assertThat(run(handle, "UPDATE inventory SET stock = 0", FenceMode.FIRST, 8))
                        .isEqualTo(new WriteOutcome.Partial(token(8), 2, 1)));
    }

    @Test
    void tellNothingButRefusals() {
        inventory.jdbi.useTransaction(handle -> {
            String sql = "UPDATE inventory SET stock = 0 WHERE place = 'A'";
            assertThat(run(handle, sql, FenceMode.CLAIMED, 8)).isEqualTo(new WriteOutcome.NotClaimed(token(8), 0));
            assertThat(run(handle, sql, FenceMode.FIRST, 8)).isEqualTo(new WriteOutcome.Applied(2));
            assertThat(run(handle, sql, FenceMode.FIRST, 8)).isEqualTo(new WriteOutcome.AlreadyWritten(token(8)));
            assertThat(run(handle, sql, FenceMode.FIRST, 7)).isEqualTo(new WriteOutcome.Stale(token(7), token(8)));
            assertThat(run(handle, "DELETE FROM inventory WHERE place = 'X'", FenceMode.FIRST, 8))
                    .isEqualTo(new WriteOutcome.NotFound());
        });
    }

    @Test
    void ofAnUpsertAreCountedAgainstItsValues() {
        carry("4712", 9);
        inventory.jdbi.useTransaction(handle -> {
            String upsert = "INSERT INTO inventory (sku, stock) VALUES ('4711', 1), ('4712', 1), ('new', 1)"
                    + " ON CONFLICT (sku) DO UPDATE SET stock = EXCLUDED.stock";
            assertThat(run(handle, upsert, FenceMode.FIRST, 8)).isEqualTo(new WriteOutcome.Partial(token(8), 2, 1));
            assertThat(run(handle, upsert, FenceMode.FIRST, 10)).isEqualTo(new WriteOutcome.Applied(3));
            assertThat(run(handle, upsert + " WHERE inventory.sku <> '4712'", FenceMode.FIRST, 11))
                    .as("withheld by its own condition")
                    .isEqualTo(new WriteOutcome.Applied(2));
            assertThat(run(handle, upsert, FenceMode.FIRST, 11))
                    .as("two of them carry this token")
                    .isEqualTo(new WriteOutcome.Partial(token(11), 1, 2));
        });
    }

    @Test
    void inPartAreRolledBackUnlessThePartIsWanted() {
        carry("4712", 9);
        Dao dao = inventory.jdbi.onDemand(Dao.class);
        assertThatThrownBy(() -> dao.add(token(8))).isInstanceOf(PartialWriteException.class);
        assertThat(inventory.stock("4711")).isEqualTo(10);
        assertThat(dao.addWhatCanBeAdded(token(8))).isEqualTo(new WriteOutcome.Partial(token(8), 1, 1));
        assertThat(inventory.stock("4711")).isEqualTo(11);
        inventory.jdbi.useTransaction(handle -> assertThatThrownBy(
                        () -> Fencing.fence(handle.createUpdate("UPDATE inventory SET stock = 0"), token(8))
                                .rows(Rows.MANY)
                                .execute())
                .isInstanceOf(PartialWriteException.class));
    }

    @Test
    void ofABatchAreCountedRowAfterRow() {
        Dao dao = inventory.jdbi.onDemand(Dao.class);
        assertThat(dao.move(List.of("A", "moved", "C"), token(8)))
                .as("the second means what the first has written")
                .containsExactly(
                        new WriteOutcome.Applied(2),
                        new WriteOutcome.AlreadyWritten(token(8)),
                        new WriteOutcome.NotFound());
        assertThatThrownBy(() -> dao.move(List.of("B", "moved"), token(9)))
                .as("of three rows the first of the batch has written one")
                .isInstanceOf(PartialWriteException.class);
    }

    @Test
    void areLockedBeforeTheyAreWritten() throws Exception {
        try (Handle newer = inventory.jdbi.open()) {
            newer.begin();
            newer.execute("UPDATE inventory SET last_token = 9 WHERE sku = '4712'");
            Concurrent<WriteOutcome> waiting = Concurrent.start(() -> inventory.jdbi.inTransaction(
                    handle -> run(handle, "UPDATE inventory SET stock = 0 WHERE place = 'A'", FenceMode.FIRST, 8)));
            waiting.awaitLock(inventory.jdbi);
            newer.commit();
            assertThat(waiting.join()).isEqualTo(new WriteOutcome.Partial(token(8), 1, 1));
        }
    }

    @Test
    void writtenByAStatementForOneAreAnErrorOfItsOwn() {
        inventory.jdbi.useHandle(handle -> assertThatThrownBy(
                        () -> Fencing.fence(handle.createUpdate("UPDATE inventory SET stock = 0"), token(8))
                                .execute())
                .isInstanceOfSatisfying(
                        TooManyRowsException.class, e -> assertThat(e.rows()).isEqualTo(3)));
    }
}
