package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.migrations.FencingMigrations;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("jdbi")
@Tag("contract")
class FencedTransactionIT {

    private final InventoryFixture inventory = new InventoryFixture();
    private final FencedTransactions fencing = Fencing.of(inventory.jdbi);

    interface Dao {
        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        void set(String sku, int stock);
    }

    @BeforeEach
    void install() {
        FencingMigrations.on(inventory.database.dataSource()).install();
    }

    @AfterEach
    void drop() {
        inventory.close();
    }

    private static void sell(Handle handle) {
        handle.execute("UPDATE inventory SET stock = stock - 1 WHERE sku = '4711'");
    }

    private Object setting(Handle handle) {
        return handle.createQuery("SELECT current_setting('fencing.token', true)")
                .mapTo(String.class)
                .one();
    }

    @Test
    void writesAnythingWithTheNewestToken() {
        TestLease lease = TestLease.of("order:1", 7);
        Object seen = fencing.inTransaction(lease, handle -> {
            handle.execute("DELETE FROM inventory WHERE sku = '4713'");
            handle.createScript(
                            "INSERT INTO inventory VALUES ('1', 1, 'C'); INSERT INTO inventory VALUES ('2', 2, 'C')")
                    .execute();
            inventory.jdbi.onDemand(Dao.class).set("4711", 3);
            return setting(handle);
        });
        assertThat(seen).isEqualTo("7");
        assertThat(inventory.stock("4711")).isEqualTo(3);
        assertThat(inventory.stock("2")).isEqualTo(2);
    }

    @Test
    void refusesOlderHolderBeforeHisBodyRuns() {
        fencing.inTransaction(TestLease.of("order:1", 8), handle -> null);
        AtomicInteger runs = new AtomicInteger();
        assertThatThrownBy(() -> fencing.inTransaction(TestLease.of("order:1", 7), handle -> runs.incrementAndGet()))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining("resource=order:1")
                .hasMessageContaining("token 7 is older than 8")
                .hasMessageContaining("still looks valid");
        assertThat(runs).hasValue(0);
    }

    @Test
    void rollsBackWithTheBody() {
        assertThatThrownBy(() -> fencing.inTransaction(TestLease.of("order:1", 8), handle -> {
                    sell(handle);
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no");
        assertThat(inventory.stock("4711")).isEqualTo(10);
        assertThat(fencing.<Integer, RuntimeException>inTransaction("order:1", FencingToken.of(7), handle -> 1))
                .isEqualTo(1);
    }

    @Test
    void entersNestedAndRepeatedly() {
        TestLease outer = TestLease.of("order:1", 8);
        fencing.inTransaction(outer, handle -> {
            fencing.inTransaction(outer, same -> {
                assertThat(same).isSameAs(handle);
                sell(same);
                return null;
            });
            fencing.inTransaction(TestLease.of("sku:4711", 99), other -> {
                assertThat(setting(other)).isEqualTo("99");
                return null;
            });
            assertThat(setting(handle)).as("the outer token again").isEqualTo("8");
            return null;
        });
        fencing.inTransaction(outer, handle -> null);
        assertThat(inventory.stock("4711")).isEqualTo(9);
    }

    @Test
    void entersLaterOnlyInReadCommitted() {
        TestLease lease = TestLease.of("order:1", 8);
        inventory.jdbi.useTransaction(handle -> {
            sell(handle);
            fencing.inTransaction(lease, same -> null);
        });
        assertThatThrownBy(() -> inventory.jdbi.useTransaction(TransactionIsolationLevel.REPEATABLE_READ, handle -> {
                    sell(handle);
                    fencing.inTransaction(lease, same -> null);
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("first statement");
    }

    @Test
    void holdsTheRowUntilTheCommit() {
        AtomicReference<CompletableFuture<Integer>> second = new AtomicReference<>();
        fencing.inTransaction(TestLease.of("order:1", 8), handle -> {
            second.set(CompletableFuture.supplyAsync(() -> fencing.inTransaction(TestLease.of("order:1", 9), other -> {
                return other.createQuery("SELECT stock FROM inventory WHERE sku = '4711'")
                        .mapTo(Integer.class)
                        .one();
            })));
            org.awaitility.Awaitility.await().until(() -> inventory.jdbi.withHandle(h -> waiting()) > 0);
            sell(handle);
            return null;
        });
        assertThat(second.get().join()).isEqualTo(9);
    }

    private int waiting() {
        try (Handle handle = inventory.jdbi.open()) {
            return handle.createQuery("SELECT count(*) FROM pg_locks WHERE NOT granted")
                    .mapTo(Integer.class)
                    .one();
        }
    }

    @Test
    void limitsHowLongItBlocksOthers() {
        TestLease lease = new TestLease("order:1", 8, Duration.ofSeconds(3));
        fencing.inTransaction(lease, handle -> {
            for (String limit :
                    new String[] {"lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout"}) {
                assertThat(handle.createQuery("SELECT setting::int FROM pg_settings WHERE name = :name")
                                .bind("name", limit)
                                .mapTo(Integer.class)
                                .one())
                        .as(limit)
                        .isBetween(1, 3000);
            }
            return null;
        });
        inventory.jdbi.useHandle(handle -> assertThat(handle.createQuery("SHOW lock_timeout")
                        .mapTo(String.class)
                        .one())
                .isEqualTo("0"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void waitForTheRowIsLimitedToo(boolean rowIsNew) {
        if (!rowIsNew) {
            fencing.inTransaction(TestLease.of("order:1", 6), handle -> null);
        }
        fencing.inTransaction(TestLease.of("order:1", 7), handle -> {
            TestLease impatient = new TestLease("order:1", 8, Duration.ofMillis(500));
            CompletableFuture<Object> second = CompletableFuture.supplyAsync(() -> {
                try {
                    return fencing.<Object, RuntimeException>inTransaction(impatient, other -> "entered");
                } catch (RetryableWriteException e) {
                    return e.outcome();
                }
            });
            assertThat(second.orTimeout(30, TimeUnit.SECONDS).join()).isEqualTo(new WriteOutcome.Retryable("55P03"));
            return null;
        });
    }

    @Test
    void newResourceNeedsTokenAboveTheFloorOfCleanups() {
        inventory.jdbi.useHandle(handle -> handle.execute("UPDATE fencing.fence_floor SET last_token = 50"));
        try {
            assertThatThrownBy(() -> fencing.inTransaction(TestLease.of("order:new", 50), handle -> null))
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContaining("token 50 is older than 50");
            fencing.inTransaction(TestLease.of("order:new", 51), handle -> null);
            assertThatThrownBy(() -> fencing.inTransaction(TestLease.of("order:new", 50), handle -> null))
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContaining("token 50 is older than 51");
        } finally {
            inventory.jdbi.useHandle(handle -> handle.execute("UPDATE fencing.fence_floor SET last_token = 0"));
        }
    }

    @Test
    void stoppedHolderIsThrownOutByTheDatabase() {
        TestLease lease = new TestLease("order:1", 8, Duration.ofMillis(400));
        assertThatThrownBy(() -> fencing.inTransaction(lease, handle -> {
                    // does nothing until the database has lost patience
                    org.awaitility.Awaitility.await().until(() -> inventory.jdbi.withHandle(h -> sessions()) == 0);
                    sell(handle);
                    return null;
                }))
                .isInstanceOf(RetryableWriteException.class);
        assertThat(inventory.stock("4711")).isEqualTo(10);
    }

    private int sessions() {
        try (Handle handle = inventory.jdbi.open()) {
            return handle.createQuery("SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in tr%'"
                            + " AND datname = current_database()")
                    .mapTo(Integer.class)
                    .one();
        }
    }

    @Test
    void acquiresBeginsCommitsAndReleasesInThisOrder() {
        AtomicReference<TestLease> taken = new AtomicReference<>();
        FencedTransactions locked = fencing.withLocks((request, wait) -> {
            taken.set(new TestLease(request.resource(), 5, request.ttl()));
            return taken.get();
        });
        int result = locked.inLockedTransaction("order:1", Duration.ofSeconds(5), Duration.ZERO, (handle, token) -> {
            assertThat(token).isEqualTo(FencingToken.of(5));
            handle.afterCommit(() -> assertThat(taken.get().released).isFalse());
            sell(handle);
            return 3;
        });
        assertThat(result).isEqualTo(3);
        assertThat(taken.get().released).isTrue();
        assertThat(inventory.stock("4711")).isEqualTo(9);
    }

    @Test
    void refusesToAcquireInsideAnOpenTransaction() {
        FencedTransactions locked = fencing.withLocks((request, wait) -> TestLease.of(request.resource(), 5));
        assertThatThrownBy(() -> inventory.jdbi.useTransaction(handle ->
                        locked.inLockedTransaction("order:1", Duration.ofSeconds(5), Duration.ZERO, inner -> null)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Acquire first, begin then");
    }

    @Test
    void refusesToBeginWithTooLittleValidity() {
        FencedTransactions locked = fencing.withLocks((request, wait) ->
                new TestLease(request.resource(), 5, request.ttl().dividedBy(10)));
        assertThatThrownBy(() ->
                        locked.inLockedTransaction("order:1", Duration.ofSeconds(5), Duration.ZERO, inner -> null))
                .isInstanceOf(InsufficientValidityException.class);
        TestLease over = new TestLease("order:1", 5, Duration.ZERO);
        assertThatThrownBy(() -> fencing.inTransaction(over, inner -> null))
                .isInstanceOf(InsufficientValidityException.class);
    }

    @Test
    void repeatsWhatTheDatabaseCallsRetryable() {
        FencedTransactions locked = fencing.withLocks((request, wait) -> TestLease.of(request.resource(), 5));
        AtomicInteger runs = new AtomicInteger();
        locked.inLockedTransaction("order:1", Duration.ofSeconds(5), Duration.ZERO, handle -> {
            sell(handle);
            if (runs.incrementAndGet() < 3) {
                handle.execute("DO $$ BEGIN RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01'; END $$");
            }
            return null;
        });
        assertThat(runs).hasValue(3);
        assertThat(inventory.stock("4711")).isEqualTo(9);
        assertThatThrownBy(() -> fencing.inTransaction(
                        TestLease.of("order:1", 6),
                        handle -> handle.execute(
                                "DO $$ BEGIN RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01'; END $$")))
                .isInstanceOf(RetryableWriteException.class)
                .hasCauseInstanceOf(UnableToExecuteStatementException.class);
    }

    @Test
    void saysWhatToInstall() {
        inventory.jdbi.useHandle(handle -> handle.execute("DROP SCHEMA fencing CASCADE"));
        assertThatThrownBy(() -> fencing.inTransaction(TestLease.of("order:1", 6), handle -> null))
                .isInstanceOf(TableNotReadyException.class)
                .hasMessageContaining("migrations");
        assertThat(fencing.withoutFenceRow()
                        .<Integer, RuntimeException>inTransaction(TestLease.of("order:1", 6), (handle, token) -> 4))
                .isEqualTo(4);
    }
}
