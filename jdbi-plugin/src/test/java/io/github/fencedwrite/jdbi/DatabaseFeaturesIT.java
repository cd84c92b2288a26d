package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What else PostgreSQL does between a statement and a row. */
class DatabaseFeaturesIT {

    private static final String SET = "UPDATE inventory SET stock = 1 WHERE sku = '4711'";

    private final InventoryFixture inventory = new InventoryFixture();

    private static FencingToken token(long value) {
        return FencingToken.of(value);
    }

    private static WriteOutcome set(Handle handle, long token) {
        return Fencing.fence(handle.createUpdate(SET), token(token)).execute();
    }

    @ParameterizedTest
    @EnumSource(
            value = TransactionIsolationLevel.class,
            names = {"READ_COMMITTED", "REPEATABLE_READ", "SERIALIZABLE"})
    void refusesTheOlderOfTwoThatMeet(TransactionIsolationLevel level) {
        try (Handle older = inventory.jdbi.open();
                Handle newer = inventory.jdbi.open()) {
            older.setTransactionIsolationLevel(level.intValue());
            older.begin();
            older.createQuery("SELECT count(*) FROM inventory")
                    .mapTo(Integer.class)
                    .one();
            newer.begin();
            assertThat(set(newer, 9)).isEqualTo(new WriteOutcome.Applied(1));
            CompletableFuture<WriteOutcome> waiting = CompletableFuture.supplyAsync(() -> {
                try {
                    return set(older, 8);
                } catch (RetryableWriteException e) {
                    return e.outcome();
                }
            });
            Awaitility.await()
                    .until(() -> inventory.jdbi.withHandle(
                                    handle -> handle.createQuery("SELECT count(*) FROM pg_locks WHERE NOT granted")
                                            .mapTo(Integer.class)
                                            .one())
                            > 0);
            newer.commit();
            WriteOutcome expected = level == TransactionIsolationLevel.READ_COMMITTED
                    ? new WriteOutcome.Stale(token(8), token(9))
                    : new WriteOutcome.Retryable("40001");
            assertThat(waiting.join()).isEqualTo(expected);
            older.rollback();
        }
    }

    @Test
    void calledOffStatementsAreRetryable() {
        inventory.jdbi.useTransaction(holder -> {
            holder.execute("SELECT * FROM inventory FOR UPDATE");
            inventory.jdbi.open().useTransaction(handle -> {
                handle.execute("SET LOCAL lock_timeout = '50ms'");
                assertThatThrownBy(() -> set(handle, 8))
                        .isInstanceOf(RetryableWriteException.class)
                        .hasMessageContaining("55P03");
                handle.rollback();
            });
        });
    }

    @Test
    void movedRowsOfPartitionedTablesAreRetryableOrFound() {
        inventory.jdbi.useHandle(handle -> {
            handle.execute(
                    "CREATE TABLE parts (id int, region text, last_token bigint NOT NULL DEFAULT 0) PARTITION BY LIST (region)");
            handle.execute("CREATE TABLE parts_n PARTITION OF parts FOR VALUES IN ('n')");
            handle.execute("CREATE TABLE parts_s PARTITION OF parts FOR VALUES IN ('s')");
            handle.execute("INSERT INTO parts VALUES (1, 'n')");
            assertThat(Fencing.fence(handle.createUpdate("UPDATE parts SET region = 's' WHERE id = 1"), token(5))
                            .execute())
                    .isEqualTo(new WriteOutcome.Applied(1));
            assertThat(Fencing.fence(handle.createUpdate("UPDATE parts SET region = 'n' WHERE id = 1"), token(4))
                            .execute())
                    .isEqualTo(new WriteOutcome.Stale(token(4), token(5)));
        });
    }

    @Test
    void rowsThatTriggersAndRulesWithholdAreRetryableAndHiddenOnesNotFound() {
        inventory.jdbi.useHandle(handle -> {
            handle.execute("CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'");
            handle.execute("CREATE TRIGGER keep BEFORE UPDATE ON inventory FOR EACH ROW EXECUTE FUNCTION keep()");
            assertThat(set(handle, 9)).isEqualTo(new WriteOutcome.Retryable(""));
            handle.execute("DROP TRIGGER keep ON inventory");
            handle.execute("CREATE RULE keep AS ON UPDATE TO inventory DO INSTEAD NOTHING");
            assertThat(set(handle, 9)).isEqualTo(new WriteOutcome.Retryable(""));
            handle.execute("DROP RULE keep ON inventory");
            handle.execute("CREATE ROLE clerk");
            handle.execute("GRANT USAGE ON SCHEMA public TO clerk");
            handle.execute("GRANT ALL ON inventory TO clerk");
            handle.execute("ALTER TABLE inventory ENABLE ROW LEVEL SECURITY");
            handle.execute("CREATE POLICY b ON inventory USING (place = 'B')");
            handle.execute("SET ROLE clerk");
            assertThat(set(handle, 9)).isEqualTo(new WriteOutcome.NotFound());
            handle.execute("RESET ROLE");
            handle.execute("DROP OWNED BY clerk");
            handle.execute("DROP ROLE clerk");
            assertThat(inventory.stock("4711")).isEqualTo(10);
        });
    }

    @Test
    void whatIsNotSupportedIsNotWorthARepetition() {
        inventory.jdbi.useHandle(handle -> {
            handle.execute("CREATE TABLE audit (sku text)");
            handle.execute("CREATE RULE other AS ON UPDATE TO inventory DO INSTEAD INSERT INTO audit VALUES (OLD.sku)");
            assertThatThrownBy(() -> Fencing.claim(
                                    handle.createQuery("SELECT stock FROM inventory WHERE sku = '4711'"), token(9))
                            .query()
                            .mapTo(Integer.class)
                            .list())
                    .as("RETURNING is not possible")
                    .isInstanceOf(UnableToExecuteStatementException.class)
                    .hasMessageContaining("RETURNING");
        });
    }

    @Test
    void viewsThatShowTheTokenAreGuarded() {
        inventory.jdbi.useHandle(handle -> {
            handle.execute("CREATE VIEW v AS SELECT sku, stock, last_token FROM inventory");
            handle.execute("CREATE VIEW blind AS SELECT sku, stock FROM inventory");
            set(handle, 9);
            String sql = "UPDATE v SET stock = 3 WHERE sku = '4711'";
            assertThat(Fencing.fence(handle.createUpdate(sql), token(8)).execute())
                    .isEqualTo(new WriteOutcome.Stale(token(8), token(9)));
            assertThat(Fencing.fence(handle.createUpdate(sql), token(10)).execute())
                    .isEqualTo(new WriteOutcome.Applied(1));
            assertThatThrownBy(() -> Fencing.fence(handle.createUpdate("UPDATE blind SET stock = 3"), token(11))
                            .execute())
                    .isInstanceOf(TableNotReadyException.class);
        });
    }

    @Test
    void nullTokenIsAnErrorAndNoMissingRow() {
        inventory.jdbi.useHandle(handle -> {
            handle.execute("ALTER TABLE inventory ALTER COLUMN last_token DROP NOT NULL");
            handle.execute("UPDATE inventory SET last_token = NULL");
            assertThatThrownBy(() -> set(handle, 9))
                    .isInstanceOf(TableNotReadyException.class)
                    .hasMessageContaining("NOT NULL DEFAULT 0");
        });
    }

    @Test
    void oneColumnForEachLock() {
        inventory.jdbi.useHandle(handle -> {
            handle.execute("ALTER TABLE inventory ADD COLUMN \"Place Token\" bigint NOT NULL DEFAULT 0");
            set(handle, 1_000);
            String move = "UPDATE inventory SET place = 'Z' WHERE sku = '4711'";
            assertThat(Fencing.fence(handle.createUpdate(move), token(3))
                            .column("Place Token")
                            .execute())
                    .isEqualTo(new WriteOutcome.Applied(1));
            assertThat(Fencing.fence(handle.createUpdate(move), token(2))
                            .column("Place Token")
                            .execute())
                    .isEqualTo(new WriteOutcome.Stale(token(2), token(3)));
        });
    }
}
