package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.migrations.FencingMigrations;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleConsumer;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObject;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jdbi.v3.sqlobject.transaction.Transaction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is told of a commit is what became of it: nothing done is repeated, nothing undone is told as done. */
@Tag("contract")
class CommitFateIT {

    private static final TestLease LEASE = new TestLease("sku:4711", 7, Duration.ofMinutes(10));

    private final InventoryFixture inventory = new InventoryFixture();
    private final HikariDataSource pool = Pool.of(inventory.database, true);
    private final BreakingDataSource breaking = new BreakingDataSource(pool);
    private final Jdbi jdbi = Pool.jdbi(breaking);
    private final FencedTransactions fencing =
            Fencing.of(jdbi).withLocks((request, wait) -> TestLease.of(request.resource(), 7));
    private final AtomicInteger runs = new AtomicInteger();
    private final List<String> called = new ArrayList<>();

    interface Dao extends SqlObject {
        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = stock - 1 WHERE sku = :sku")
        WriteOutcome sell(String sku, FencingToken token);

        @Fenced
        @SqlUpdate("INSERT INTO inventory (sku, stock) VALUES (:sku, 1)")
        void insert(String sku, FencingToken token);

        @Transaction
        default boolean sellAndCatch() {
            var unused = sell("4711", FencingToken.of(8));
            return tryToInsert(getHandle());
        }
    }

    /** All ways into a transaction of ours. */
    enum Way {
        FENCE_ROW {
            @Override
            void use(CommitFateIT test, HandleConsumer<RuntimeException> body) {
                test.fencing.useTransaction(LEASE, body);
            }
        },
        TOKEN {
            @Override
            void use(CommitFateIT test, HandleConsumer<RuntimeException> body) {
                test.fencing.useTransaction("sku:4711", FencingToken.of(7), body);
            }
        },
        WITHOUT_ROW {
            @Override
            void use(CommitFateIT test, HandleConsumer<RuntimeException> body) {
                test.fencing.withoutFenceRow().useTransaction(LEASE, body);
            }
        },
        LOCKED {
            @Override
            void use(CommitFateIT test, HandleConsumer<RuntimeException> body) {
                test.fencing.useLockedTransaction("sku:4711", Duration.ofSeconds(10), Duration.ZERO, body);
            }
        },
        TWO_LOCKS {
            @Override
            void use(CommitFateIT test, HandleConsumer<RuntimeException> body) {
                test.fencing.useLockedTransaction(
                        List.of("sku:4711", "order:1"), Duration.ofSeconds(10), Duration.ZERO, body);
            }
        };

        abstract void use(CommitFateIT test, HandleConsumer<RuntimeException> body);
    }

    @BeforeEach
    void install() {
        FencingMigrations.on(inventory.database.dataSource()).install();
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private void sell(Handle handle) {
        runs.incrementAndGet();
        handle.execute("UPDATE inventory SET stock = stock - 1 WHERE sku = '4711'");
        handle.afterCommit(() -> called.add("committed"));
        handle.afterRollback(() -> called.add("rolled back"));
    }

    private static boolean tryToInsert(Handle handle) {
        try {
            handle.execute("INSERT INTO inventory (sku, stock) VALUES ('4712', 1)");
            return true;
        } catch (RuntimeException taken) {
            return false;
        }
    }

    static Stream<String> statesThatAskForRepetition() {
        return Stream.of("57014", "40001", "0A000", "08006", "25P03");
    }

    @ParameterizedTest
    @MethodSource("statesThatAskForRepetition")
    void callbackAfterTheCommitDecidesNothing(String state) {
        RuntimeException failure = new IllegalArgumentException(new SQLException("of a callback", state));
        for (Way way : Way.values()) {
            runs.set(0);
            int before = inventory.stock("4711");
            assertThatThrownBy(() -> way.use(this, handle -> {
                        sell(handle);
                        handle.afterCommit(() -> {
                            throw failure;
                        });
                    }))
                    .as("%s", way)
                    .isSameAs(failure);
            assertThat(runs).hasValue(1);
            assertThat(inventory.stock("4711")).isEqualTo(before - 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void commitThatRolledBackIsNone(Way way) {
        assertThatThrownBy(() -> way.use(this, handle -> {
                    sell(handle);
                    assertThat(tryToInsert(handle)).isFalse();
                }))
                .isInstanceOf(TransactionRolledBackException.class)
                .hasMessageContaining("Nothing was written");
        assertThat(inventory.stock("4711")).isEqualTo(10);
        assertThat(called).containsExactly("rolled back");
        assertThat(runs).hasValue(1);
    }

    @Test
    void commitThatRolledBackIsNoneInTransactionOfTheCaller() {
        Dao dao = jdbi.onDemand(Dao.class);
        assertThatThrownBy(dao::sellAndCatch).isInstanceOf(TransactionRolledBackException.class);
        assertThatThrownBy(() -> jdbi.useTransaction(handle -> {
                    var unused = handle.attach(Dao.class).sell("4711", FencingToken.of(8));
                    handle.afterRollback(() -> called.add("rolled back"));
                    tryToInsert(handle);
                }))
                .isInstanceOf(TransactionRolledBackException.class);
        assertThat(called).containsExactly("rolled back");
        for (FencedTransactions each : List.of(fencing, fencing.withoutFenceRow())) {
            assertThatThrownBy(
                            () -> jdbi.useTransaction(handle -> each.useTransaction(LEASE, CommitFateIT::tryToInsert)))
                    .as("joined")
                    .isInstanceOf(TransactionRolledBackException.class);
        }
        assertThat(inventory.stock("4711")).isEqualTo(10);
    }

    @Test
    void otherTransactionsOfTheApplicationAreLeftAlone() {
        jdbi.useTransaction(CommitFateIT::tryToInsert);
        assertThat(inventory.stock("4712")).isEqualTo(20);
    }

    @ParameterizedTest
    @EnumSource
    void callbacksHearThatLostCommitWasCarriedOut(Way way) {
        breaking.loseAfterCommit();
        way.use(this, this::sell);
        assertThat(breaking.hasBroken()).isTrue();
        assertThat(called).containsExactly("committed");
        assertThat(runs).hasValue(1);
        assertThat(inventory.stock("4711")).isEqualTo(9);
    }

    @ParameterizedTest
    @EnumSource
    void callbacksHearThatLostCommitWasNotCarriedOut(Way way) {
        breaking.loseBeforeCommit();
        way.use(this, this::sell);
        assertThat(called).containsExactly("rolled back", "committed");
        assertThat(runs).hasValue(2);
        assertThat(inventory.stock("4711")).isEqualTo(9);
    }

    @Test
    void commitIsAskedAboutEvenIfSavepointTookTheFirstStatementBack() {
        fencing.withoutFenceRow().useTransaction(LEASE, handle -> {
            handle.savepoint("s");
            assertThatThrownBy(() -> handle.attach(Dao.class).insert("4712", FencingToken.of(7)))
                    .isNotNull();
            handle.rollbackToSavepoint("s");
            sell(handle);
            assertThat(handle.createQuery("SHOW lock_timeout")
                            .mapTo(String.class)
                            .one())
                    .as("limits are in force")
                    .isNotEqualTo("0");
            breaking.loseAfterCommit();
        });
        assertThat(breaking.hasBroken()).isTrue();
        assertThat(runs).hasValue(1);
        assertThat(inventory.stock("4711")).isEqualTo(9);
    }

    @ParameterizedTest
    @EnumSource
    void connectionLostInTheBodyIsToldEvenIfTheBodyKeepsIt(Way way) {
        way.use(this, handle -> {
            sell(handle);
            if (runs.get() == 1) {
                breaking.terminate(handle.getConnection());
                assertThat(tryToInsert(handle)).isFalse();
            }
        });
        assertThat(runs).hasValue(2);
        assertThat(called).containsExactly("rolled back", "committed");
        assertThat(inventory.stock("4711")).isEqualTo(9);
    }

    @Test
    void handleOfTheCallerThatDiedIsToldByOneOfOurExceptions() {
        jdbi.useHandle(outer -> {
            assertThatThrownBy(() -> fencing.useTransaction(LEASE, handle -> {
                        sell(handle);
                        breaking.terminate(handle.getConnection());
                        sell(handle);
                    }))
                    .isInstanceOf(RetryableWriteException.class);
            assertThatThrownBy(() -> fencing.useTransaction(LEASE, this::sell))
                    .as("the handle is dead")
                    .isInstanceOf(RetryableWriteException.class);
        });
        assertThat(inventory.stock("4711")).isEqualTo(10);
        Throwable thrown = catchThrowable(() -> jdbi.useTransaction(outer -> fencing.useTransaction(LEASE, handle -> {
            breaking.terminate(handle.getConnection());
            sell(handle);
        })));
        assertThat(thrown).as("joined").isInstanceOf(RetryableWriteException.class);
    }

    @Test
    void interruptedThreadAsksOnceAndKeepsItsFlag() {
        fencing.useTransaction(LEASE, handle -> {
            sell(handle);
            breaking.loseAfterCommit(Thread.currentThread()::interrupt);
        });
        assertThat(Thread.interrupted()).isTrue();
        assertThat(inventory.stock("4711")).isEqualTo(9);
    }

    @Test
    void waitingForAnAnswerMakesFewAttemptsEvenIfInterrupted() {
        AtomicInteger opened = new AtomicInteger();
        Jdbi unreachable = Pool.jdbi(breaking);
        assertThatThrownBy(() -> Fencing.of(unreachable).useTransaction(LEASE, handle -> {
                    sell(handle);
                    breaking.loseAfterCommit(() -> {
                        breaking.refuse(opened);
                        Thread.currentThread().interrupt();
                    });
                }))
                .isInstanceOf(UnknownOutcomeException.class);
        breaking.accept();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(opened.get()).isBetween(5, 100);
        assertThat(called).as("nobody knows").isEmpty();
        assertThat(inventory.stock("4711")).isEqualTo(9);
    }

    @ParameterizedTest
    @ValueSource(strings = {"08001", "57P01", "40001", "57014", "0A000", "25006"})
    void exceptionOfAnotherDataSourceLeavesAsItCame(String state) {
        for (Way way : Way.values()) {
            runs.set(0);
            RuntimeException own = new IllegalStateException("business", new SQLException("elsewhere", state));
            assertThatThrownBy(() -> way.use(this, handle -> {
                        sell(handle);
                        throw own;
                    }))
                    .as("%s", way)
                    .isSameAs(own);
            assertThat(runs).as("%s", way).hasValue(1);
        }
        assertThat(inventory.stock("4711")).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"40001", "08006"})
    void retryableWriteOfAnotherDatabaseLeavesAsItCame(String state) {
        for (Way way : Way.values()) {
            runs.set(0);
            RuntimeException elsewhere = WriteNotAppliedException.of(
                    new WriteOutcome.Retryable(state),
                    new FencedTarget("elsewhere", "id=1", FencingToken.of(1), null),
                    null);
            assertThatThrownBy(() -> way.use(this, handle -> {
                        sell(handle);
                        throw elsewhere;
                    }))
                    .as("%s", way)
                    .isSameAs(elsewhere);
            assertThat(runs).as("%s", way).hasValue(1);
        }
        assertThat(inventory.stock("4711")).isEqualTo(10);
    }

    @Test
    void whatIsNotSupportedIsNotRepeated() {
        assertThatThrownBy(() -> Way.LOCKED.use(this, handle -> {
                    sell(handle);
                    handle.execute("DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '0A000'; END $$");
                }))
                .isNotInstanceOf(WriteNotAppliedException.class);
        assertThat(runs).hasValue(1);
    }

    @Test
    void planThatMustNotChangeItsResultIsRepeated() {
        jdbi.useHandle(handle -> {
            for (int i = 0; i < 12; i++) {
                read(handle);
            }
        });
        inventory.jdbi.useHandle(handle -> handle.execute("ALTER TABLE inventory ADD COLUMN more int"));
        Way.LOCKED.use(this, handle -> {
            sell(handle);
            read(handle);
        });
        assertThat(runs).hasValue(2);
        assertThat(inventory.stock("4711")).isEqualTo(9);
    }

    private static void read(Handle handle) {
        handle.createQuery("SELECT * FROM inventory WHERE sku = '4711'")
                .mapToMap()
                .one();
    }
}
