package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.migrations.FencingMigrations;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.CMTTransactionHandler;
import org.jdbi.v3.core.transaction.SerializableTransactionRunner;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jdbi.v3.sqlobject.SqlObject;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jdbi.v3.sqlobject.statement.BatchChunkSize;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.jdbi.v3.sqlobject.transaction.Transaction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jdbi's own ways into a transaction: what they begin is joined and they commit; what they repeat is repeated as a whole. */
@Tag("contract")
class TransactionRunnerIT {

    private static final TestLease LEASE = new TestLease("sku:4711", 7, Duration.ofMinutes(10));

    private final InventoryFixture inventory = new InventoryFixture();
    private final HikariDataSource pool = Pool.of(inventory.database, true);
    private final AtomicInteger runs = new AtomicInteger();

    interface Dao extends SqlObject {
        @Fenced
        @SqlBatch("UPDATE inventory SET stock = stock - 1 WHERE sku = :sku")
        List<WriteOutcome> sellAll(List<String> sku, FencingToken token);

        @Fenced
        @BatchChunkSize(1)
        @SqlBatch("UPDATE inventory SET stock = stock - 1 WHERE sku = :sku")
        List<WriteOutcome> sellEach(List<String> sku, FencingToken token);

        @Transaction
        default int fenced(FencedTransactions fencing, boolean fails) {
            int sold = fencing.inTransaction(LEASE, TransactionRunnerIT::sell);
            if (fails) {
                throw new IllegalStateException("no");
            }
            return sold;
        }
    }

    @BeforeEach
    void install() {
        FencingMigrations.on(inventory.database.dataSource()).install();
        inventory.jdbi.useHandle(handle -> {
            handle.execute("CREATE SEQUENCE failing");
            handle.execute("CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                    + "IF nextval('failing') = 2 THEN RAISE EXCEPTION 'once' USING ERRCODE = '40001'; END IF; "
                    + "RETURN NEW; END $$");
        });
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private static int sell(Handle handle) {
        return handle.execute("UPDATE inventory SET stock = stock - 1 WHERE sku = '4711'");
    }

    private void failAtTheSecondRow() {
        inventory.jdbi.useHandle(handle -> handle.execute(
                "CREATE TRIGGER fail BEFORE UPDATE ON inventory " + "FOR EACH ROW EXECUTE FUNCTION fail_once()"));
    }

    private Jdbi runner(boolean pluginFirst) {
        Jdbi jdbi = Jdbi.create(pool).installPlugin(new SqlObjectPlugin());
        if (pluginFirst) {
            jdbi.installPlugin(new FencingPlugin());
        }
        jdbi.setTransactionHandler(new SerializableTransactionRunner());
        return pluginFirst ? jdbi : jdbi.installPlugin(new FencingPlugin());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void repeatsAllRowsOfBatch(boolean inChunks) {
        failAtTheSecondRow();
        Dao dao = runner(true).onDemand(Dao.class);
        List<String> skus = List.of("4711", "4712", "4713");
        List<WriteOutcome> outcomes =
                inChunks ? dao.sellEach(skus, FencingToken.of(7)) : dao.sellAll(skus, FencingToken.of(7));
        assertThat(outcomes).hasSize(3).allMatch(WriteOutcome::isApplied);
        assertThat(List.of(inventory.stock("4711"), inventory.stock("4712"), inventory.stock("4713")))
                .containsExactly(9, 19, 29);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void repeatsFencedSectionThatJoinedIt(boolean pluginFirst) {
        Jdbi jdbi = runner(pluginFirst);
        jdbi.useTransaction(outer -> Fencing.of(jdbi).useTransaction(LEASE, handle -> {
            sell(handle);
            if (runs.incrementAndGet() == 1) {
                handle.execute("DO $$ BEGIN RAISE EXCEPTION 'once' USING ERRCODE = '40001'; END $$");
            }
        }));
        assertThat(runs).hasValue(2);
        assertThat(inventory.stock("4711")).isEqualTo(9);
        assertThatThrownBy(() -> jdbi.useTransaction(outer ->
                        Fencing.of(jdbi).useTransaction(TestLease.of("sku:4711", 8), handle -> handle.commit())))
                .as("seen, whichever was installed first")
                .isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void annotatedMethodIsJoined(boolean autoCommit) {
        try (HikariDataSource other = Pool.of(inventory.database, autoCommit)) {
            Jdbi jdbi = Pool.jdbi(other);
            FencedTransactions fencing = Fencing.of(jdbi);
            Dao dao = jdbi.onDemand(Dao.class);
            assertThat(dao.fenced(fencing, false)).isEqualTo(1);
            assertThat(inventory.stock("4711")).isEqualTo(9);
            assertThatThrownBy(() -> dao.fenced(fencing, true)).hasMessage("no");
            // without autocommit Jdbi begins nothing, so that the section was a transaction of its own
            assertThat(inventory.stock("4711")).isEqualTo(autoCommit ? 9 : 8);
        }
    }

    @Test
    void containersTransactionIsJoined() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            Jdbi jdbi = Jdbi.create(connection);
            jdbi.setTransactionHandler(new CMTTransactionHandler());
            jdbi.installPlugin(new FencingPlugin());
            Fencing.of(jdbi).useTransaction(LEASE, TransactionRunnerIT::sell);
            assertThat(inventory.stock("4711"))
                    .as("the container has not committed")
                    .isEqualTo(10);
            assertThatThrownBy(() -> Fencing.of(jdbi)
                            .withLocks((request, wait) -> TestLease.of(request.resource(), 9))
                            .useLockedTransaction(
                                    "sku:4711", Duration.ofSeconds(10), Duration.ZERO, TransactionRunnerIT::sell))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("container");
            connection.commit();
        }
        assertThat(inventory.stock("4711")).isEqualTo(9);
    }

    @Test
    void containerWithoutTransactionIsRefused() {
        Jdbi jdbi = Jdbi.create(pool);
        jdbi.setTransactionHandler(new CMTTransactionHandler());
        jdbi.installPlugin(new FencingPlugin());
        for (FencedTransactions each :
                List.of(Fencing.of(jdbi), Fencing.of(jdbi).withoutFenceRow())) {
            assertThatThrownBy(() -> each.useTransaction(LEASE, TransactionRunnerIT::sell))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("CMTTransactionHandler");
        }
        assertThat(inventory.stock("4711")).isEqualTo(10);
    }

    @Test
    void isolationIsChosenWhereFencingBegins() {
        Jdbi jdbi = Pool.jdbi(pool);
        FencedTransactions serializable = Fencing.of(jdbi).withIsolation(TransactionIsolationLevel.SERIALIZABLE);
        String level = serializable.inTransaction(LEASE, handle -> handle.createQuery("SHOW transaction_isolation")
                .mapTo(String.class)
                .one());
        assertThat(level).isEqualTo("serializable");
        assertThatThrownBy(() -> jdbi.useTransaction(outer -> serializable.useTransaction(LEASE, handle -> {})))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("READ_COMMITTED");
        assertThat(jdbi.<TransactionIsolationLevel, RuntimeException>withHandle(Handle::getTransactionIsolationLevel))
                .isEqualTo(TransactionIsolationLevel.READ_COMMITTED);
    }

    @Test
    void sectionWithoutFenceRowMayBeginLaterAtAnyLevel() {
        Jdbi jdbi = Pool.jdbi(pool);
        jdbi.useTransaction(TransactionIsolationLevel.REPEATABLE_READ, outer -> {
            sell(outer);
            Fencing.of(jdbi).withoutFenceRow().useTransaction(LEASE, TransactionRunnerIT::sell);
        });
        assertThat(inventory.stock("4711")).isEqualTo(8);
    }
}
