package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.migrations.FencingMigrations;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jdbi.v3.sqlobject.transaction.Transaction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection that comes with autocommit off is no open transaction: Fencing begins one there, and commits it. */
@Tag("contract")
class PoolWithoutAutocommitIT {

    private final InventoryFixture inventory = new InventoryFixture();
    private final HikariDataSource pool = Pool.of(inventory.database, false);
    private final Jdbi jdbi = Pool.jdbi(pool);
    private final FencedTransactions fencing =
            Fencing.of(jdbi).withLocks((request, wait) -> TestLease.of(request.resource(), 9));

    @BeforeEach
    void install() {
        FencingMigrations.on(inventory.database.dataSource()).install();
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private static int sell(Handle handle) {
        return handle.execute("UPDATE inventory SET stock = stock - 1 WHERE sku = '4711'");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void commitsWhatItBegins(boolean withFenceRow) {
        FencedTransactions transactions = withFenceRow ? fencing : fencing.withoutFenceRow();
        assertThat(transactions.<Integer, RuntimeException>inTransaction(
                        TestLease.of("sku:4711", 7), PoolWithoutAutocommitIT::sell))
                .isEqualTo(1);
        assertThat(inventory.stock("4711")).as("with a lease").isEqualTo(9);
        transactions.useTransaction("sku:4711", FencingToken.of(8), PoolWithoutAutocommitIT::sell);
        assertThat(inventory.stock("4711")).as("with a token").isEqualTo(8);
        transactions.useLockedTransaction(
                "sku:4711", Duration.ofSeconds(10), Duration.ZERO, PoolWithoutAutocommitIT::sell);
        assertThat(inventory.stock("4711")).as("with a lock").isEqualTo(7);
        transactions
                .withIsolation(TransactionIsolationLevel.SERIALIZABLE)
                .useTransaction(TestLease.of("sku:4711", 10), PoolWithoutAutocommitIT::sell);
        assertThat(inventory.stock("4711")).as("with a level of isolation").isEqualTo(6);
        assertThat(jdbi.<TransactionIsolationLevel, RuntimeException>withHandle(Handle::getTransactionIsolationLevel))
                .isEqualTo(TransactionIsolationLevel.READ_COMMITTED);
    }

    @Test
    void rollsBackWhatFails() {
        assertThatThrownBy(() -> fencing.useTransaction(TestLease.of("sku:4711", 7), handle -> {
                    sell(handle);
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(inventory.stock("4711")).isEqualTo(10);
    }

    @Test
    void commitsInsideWhatJdbiTakesForTransaction() {
        // Jdbi itself begins and commits nothing here, since autocommit is off
        jdbi.useTransaction(
                handle -> fencing.useTransaction(TestLease.of("sku:4711", 7), PoolWithoutAutocommitIT::sell));
        assertThat(inventory.stock("4711")).isEqualTo(9);
    }

    @Test
    void joinsTransactionThatWasBegun() {
        jdbi.useHandle(handle -> {
            handle.begin();
            fencing.useTransaction(TestLease.of("sku:4711", 7), PoolWithoutAutocommitIT::sell);
            handle.rollback();
            handle.begin();
            fencing.useTransaction(TestLease.of("sku:4711", 7), PoolWithoutAutocommitIT::sell);
            handle.commit();
        });
        assertThat(inventory.stock("4711")).isEqualTo(9);
    }

    @Test
    void refusesToCommitStatementsThatNobodyHasCommitted() {
        jdbi.useHandle(handle -> {
            sell(handle);
            for (FencedTransactions each : List.of(fencing, fencing.withoutFenceRow())) {
                assertThatThrownBy(
                                () -> each.useTransaction(TestLease.of("sku:4711", 7), PoolWithoutAutocommitIT::sell))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("Autocommit is off");
                assertThatThrownBy(() -> each.useLockedTransaction(
                                "sku:4711", Duration.ofSeconds(10), Duration.ZERO, PoolWithoutAutocommitIT::sell))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("autocommit is off");
            }
            handle.rollback();
            fencing.useTransaction(TestLease.of("sku:4711", 7), PoolWithoutAutocommitIT::sell);
        });
        assertThat(inventory.stock("4711")).isEqualTo(9);
    }

    interface Dao {
        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = stock - 1 WHERE sku = '4711'")
        WriteOutcome sell(FencingToken token);

        @Claim
        @SqlQuery("SELECT stock FROM inventory WHERE sku = '4711'")
        int claim(FencingToken token);

        @Transaction
        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = stock - 1 WHERE sku = '4711'")
        void sellInTransaction(FencingToken token);
    }

    @Test
    void refusesSingleStatementsThatNobodyWouldCommit() {
        Dao dao = jdbi.onDemand(Dao.class);
        FencingToken token = FencingToken.of(7);
        for (ThrowingCallable each : List.<ThrowingCallable>of(
                () -> dao.sell(token),
                () -> dao.claim(token),
                () -> dao.sellInTransaction(token),
                () -> jdbi.useTransaction(handle -> handle.attach(Dao.class).sell(token)),
                () -> jdbi.useHandle(handle -> Fencing.row("inventory")
                        .key("sku", "4711")
                        .set("stock", 1)
                        .update(handle, token)))) {
            assertThatThrownBy(each).isInstanceOf(IllegalStateException.class).hasMessageContaining("autoCommit=false");
        }
        assertThat(inventory.stock("4711")).isEqualTo(10);
    }

    @Test
    void runsSingleStatementsWhereSomebodyCommits() {
        FencingToken token = FencingToken.of(7);
        WriteOutcome outcome = fencing.withoutFenceRow()
                .inTransaction(
                        "sku:4711", token, handle -> handle.attach(Dao.class).sell(token));
        assertThat(outcome.isApplied()).isTrue();
        assertThat(inventory.stock("4711")).isEqualTo(9);
        jdbi.useHandle(handle -> {
            handle.begin();
            var unused = handle.attach(Dao.class).sell(FencingToken.of(8));
            handle.commit();
        });
        assertThat(inventory.stock("4711")).isEqualTo(8);
    }
}
