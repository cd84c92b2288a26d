package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.jdbi.v3.sqlobject.statement.GetGeneratedKeys;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** INSERTs that meet a row: by whom it was written, in autocommit and in a transaction that goes on afterwards. */
@Tag("contract")
class InsertIT {

    private static final String INSERT = "INSERT INTO inventory (stock, sku) VALUES (:stock, :sku)";

    private final InventoryFixture inventory = new InventoryFixture();

    private static FencingToken token(long value) {
        return FencingToken.of(value);
    }

    interface Constraints {
        @Fenced
        @SqlUpdate(INSERT)
        WriteOutcome insert(String sku, int stock, FencingToken token);

        @Fenced
        @SqlUpdate("INSERT INTO public.inventory (sku, stock) VALUES (:sku, :stock)"
                + " ON CONFLICT ON CONSTRAINT inventory_pkey DO UPDATE SET stock = EXCLUDED.stock")
        WriteOutcome put(String sku, int stock, FencingToken token);

        @Fenced
        @SqlUpdate(INSERT)
        void insertOrThrow(String sku, int stock, FencingToken token);

        @Fenced(retry = true)
        @SqlUpdate(INSERT)
        int insertRepeatedly(String sku, int stock, Lease lease);

        @Fenced(retry = true)
        @SqlQuery(INSERT + " RETURNING stock")
        int insertAndReturn(String sku, int stock, FencingToken token);

        @Fenced(retry = true)
        @SqlUpdate(INSERT)
        @GetGeneratedKeys("stock")
        int insertAndReturnKey(String sku, int stock, FencingToken token);
    }

    @Test
    void tellsWhoWasThereBeforeAnInsert() {
        Constraints dao = inventory.jdbi.onDemand(Constraints.class);
        assertThat(dao.insert("new", 1, token(5))).isEqualTo(new WriteOutcome.Applied(1));
        assertThat(dao.insert("new", 1, token(5))).isEqualTo(new WriteOutcome.AlreadyWritten(token(5)));
        assertThat(dao.insert("new", 1, token(4))).isEqualTo(new WriteOutcome.Stale(token(4), token(5)));
        assertThatThrownBy(() -> dao.insert("new", 1, token(6)))
                .isInstanceOf(UnableToExecuteStatementException.class)
                .hasMessageContaining("duplicate key");
        assertThat(dao.put("new", 2, token(4))).isEqualTo(new WriteOutcome.Stale(token(4), token(5)));
        assertThat(dao.put("new", 2, token(5))).isEqualTo(new WriteOutcome.AlreadyWritten(token(5)));
        assertThat(dao.put("new", 2, token(6))).isEqualTo(new WriteOutcome.Applied(1));
    }

    private void each(boolean inTransaction, org.jdbi.v3.core.HandleConsumer<RuntimeException> body) {
        if (inTransaction) {
            inventory.jdbi.useTransaction(body);
        } else {
            inventory.jdbi.useHandle(body);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void repetitionsAreDoneAlready(boolean inTransaction) {
        TestLease lease = TestLease.of("sku:new", 5);
        each(inTransaction, handle -> {
            Constraints dao = handle.attach(Constraints.class);
            assertThat(dao.insertRepeatedly("new", 1, lease)).isEqualTo(1);
            assertThat(dao.insertRepeatedly("new", 1, lease)).isZero();
            assertThatThrownBy(() -> dao.insertRepeatedly("new", 1, TestLease.of("sku:new", 4)))
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContaining("token 4 is older than 5");
            assertThatThrownBy(() -> dao.insertRepeatedly("new", 1, TestLease.of("sku:new", 6)))
                    .as("somebody else's row is a duplicate as ever")
                    .isInstanceOf(UnableToExecuteStatementException.class)
                    .hasMessageContaining("duplicate key");
            assertThat(dao.insertRepeatedly("newer", 1, lease))
                    .as("the transaction goes on")
                    .isEqualTo(1);
        });
        assertThat(inventory.stock("newer")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void outcomesAreTheSameInTransactions(boolean inTransaction) {
        each(inTransaction, handle -> {
            Constraints dao = handle.attach(Constraints.class);
            assertThat(dao.insert("new", 1, token(5))).isEqualTo(new WriteOutcome.Applied(1));
            assertThat(dao.insert("new", 1, token(5))).isEqualTo(new WriteOutcome.AlreadyWritten(token(5)));
            assertThat(insertRow(handle, 4)).isEqualTo(new WriteOutcome.Stale(token(4), token(5)));
            assertThat(dao.put("new", 7, token(6))).isEqualTo(new WriteOutcome.Applied(1));
        });
        assertThat(inventory.stock("new")).isEqualTo(7);
    }

    private static WriteOutcome insertRow(Handle handle, long token) {
        return Fencing.row("inventory").key("sku", "new").set("stock", 1).insert(handle, token(token));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatAnAttemptReturnedCannotBeReturnedAgain(boolean inTransaction) {
        each(inTransaction, handle -> {
            Constraints dao = handle.attach(Constraints.class);
            assertThat(dao.insertAndReturn("new", 3, token(5))).isEqualTo(3);
            assertThatThrownBy(() -> dao.insertAndReturn("new", 3, token(5)))
                    .isInstanceOf(AlreadyWrittenException.class);
            assertThatThrownBy(() -> dao.insertAndReturnKey("new", 3, token(5)))
                    .isInstanceOf(AlreadyWrittenException.class);
            assertThat(dao.insertAndReturnKey("newer", 4, token(5))).isEqualTo(4);
        });
    }

    @Test
    void withoutSavepointTheErrorSaysWhatToDeclare() {
        Constraints outside = inventory.jdbi.onDemand(Constraints.class);
        outside.insertOrThrow("new", 1, token(5));
        assertThatThrownBy(() -> outside.insertOrThrow("new", 1, token(4))).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> inventory.jdbi.useTransaction(
                        handle -> handle.attach(Constraints.class).insertOrThrow("new", 1, token(4))))
                .isInstanceOf(UnableToExecuteStatementException.class)
                .hasMessageContaining("retry = true")
                .hasRootCauseInstanceOf(java.sql.SQLException.class)
                .rootCause()
                .hasMessageContaining("duplicate key");
    }
}
