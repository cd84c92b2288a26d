package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.migrations.FencingMigrations;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The connection is lost at each statement and at the commit; the sale must be made once, on every level. */
@Tag("contract")
class ConnectionLossIT {

    private final InventoryFixture inventory = new InventoryFixture();
    private final BreakingDataSource breaking = new BreakingDataSource(inventory.database.dataSource());
    private final Jdbi jdbi =
            Jdbi.create(breaking).installPlugin(new SqlObjectPlugin()).installPlugin(new FencingPlugin());
    private final AtomicInteger runs = new AtomicInteger();

    interface Dao {
        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = stock - 1 WHERE sku = :sku")
        WriteOutcome sell(String sku, FencingToken token);

        @Claim
        @SqlQuery("SELECT stock FROM inventory WHERE sku = :sku")
        int claim(String sku, FencingToken token);

        @Fenced(mode = FenceMode.CLAIMED)
        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        void set(String sku, int stock, FencingToken token);
    }

    enum Level {
        GUARDED(2) {
            @Override
            Object sell(ConnectionLossIT test) {
                return Fencing.of(test.jdbi)
                        .withoutFenceRow()
                        .inTransaction(TestLease.of("sku:4711", 7), (handle, token) -> {
                            test.runs.incrementAndGet();
                            return require(handle.attach(Dao.class).sell("4711", token));
                        });
            }
        },
        CLAIMED(3) {
            @Override
            Object sell(ConnectionLossIT test) {
                return Fencing.of(test.jdbi)
                        .withoutFenceRow()
                        .inTransaction(TestLease.of("sku:4711", 7), (handle, token) -> {
                            test.runs.incrementAndGet();
                            Dao dao = handle.attach(Dao.class);
                            dao.set("4711", dao.claim("4711", token) - 1, token);
                            return true;
                        });
            }
        },
        FENCE_ROW(3) {
            @Override
            Object sell(ConnectionLossIT test) {
                return Fencing.of(test.jdbi).inTransaction(TestLease.of("sku:4711", 7), (handle, token) -> {
                    test.runs.incrementAndGet();
                    int stock = handle.createQuery("SELECT stock FROM inventory WHERE sku = '4711'")
                            .mapTo(Integer.class)
                            .one();
                    return handle.execute("UPDATE inventory SET stock = ? WHERE sku = '4711'", stock - 1);
                });
            }
        };

        /** What the body executes, and one more for the fence row, or for limits and id. */
        final int statements;

        Level(int statements) {
            this.statements = statements;
        }

        abstract Object sell(ConnectionLossIT test);

        private static Object require(WriteOutcome outcome) {
            if (outcome instanceof WriteOutcome.Retryable retryable) {
                throw new org.jdbi.v3.core.transaction.TransactionException(
                        new java.sql.SQLException("again", retryable.sqlState()));
            }
            return outcome;
        }
    }

    @BeforeEach
    void install() {
        FencingMigrations.on(inventory.database.dataSource()).install();
    }

    @ParameterizedTest
    @EnumSource(Level.class)
    void repeatsWhatWasLostAtAnyStatement(Level level) {
        Fencing.of(inventory.jdbi).inTransaction(TestLease.of("sku:4711", 6), handle -> null);
        int sold = 0;
        for (int n = 1; ; n++) {
            inventory.jdbi.useHandle(ConnectionLossIT::forget);
            runs.set(0);
            breaking.loseAtExecution(n);
            assertThat(level.sell(this)).as("execution %s", n).isNotNull();
            sold++;
            assertThat(inventory.stock("4711")).as("execution %s", n).isEqualTo(10 - sold);
            if (!breaking.hasBroken()) {
                assertThat(n - 1).as("moments tried").isEqualTo(level.statements);
                assertThat(runs).hasValue(1);
                return;
            }
        }
    }

    private static void forget(Handle handle) {
        handle.execute("UPDATE inventory SET last_token = 0");
    }

    @ParameterizedTest
    @EnumSource(Level.class)
    void repeatsWhatWasLostBeforeTheCommit(Level level) {
        breaking.loseBeforeCommit();
        assertThat(level.sell(this)).isNotNull();
        assertThat(breaking.hasBroken()).isTrue();
        assertThat(runs).as("aborted, so once more").hasValue(2);
        assertThat(inventory.stock("4711")).isEqualTo(9);
    }

    @ParameterizedTest
    @EnumSource(Level.class)
    void neverRunsTwiceWhatWasCommitted(Level level) {
        breaking.loseAfterCommit();
        assertThat(level.sell(this)).isNotNull();
        assertThat(breaking.hasBroken()).isTrue();
        assertThat(runs).hasValue(1);
        assertThat(inventory.stock("4711")).isEqualTo(9);
    }

    @Test
    void repeatsStatementInAutocommit() {
        Dao dao = jdbi.onDemand(Dao.class);
        breaking.loseAtExecution(1);
        assertThat(dao.sell("4711", FencingToken.of(7))).isInstanceOf(WriteOutcome.Unknown.class);
        breaking.loseAtExecution(1);
        assertThat(Fencing.repeat(3, () -> dao.sell("4711", FencingToken.of(7))))
                .isEqualTo(new WriteOutcome.Applied(1));
        assertThat(inventory.stock("4711")).isEqualTo(9);
    }

    @Test
    void countsWriteWhoseAnswerWasLostAsApplied() {
        Dao dao = inventory.jdbi.onDemand(Dao.class);
        AtomicInteger attempts = new AtomicInteger();
        WriteOutcome outcome = Fencing.repeat(3, () -> {
            WriteOutcome real = dao.sell("4711", FencingToken.of(7));
            return attempts.incrementAndGet() == 1 ? new WriteOutcome.Unknown("08006") : real;
        });
        assertThat(outcome).isEqualTo(new WriteOutcome.Applied(1));
        assertThat(attempts).hasValue(2);
        assertThat(inventory.stock("4711")).isEqualTo(9);
    }

    @Test
    void throwsWhatHappenedWhenTheStatementReturnsNoOutcome() {
        breaking.loseAtExecution(1);
        assertThatThrownBy(() -> jdbi.onDemand(Dao.class).claim("4711", FencingToken.of(7)))
                .isInstanceOf(UnknownOutcomeException.class)
                .hasMessageContaining("Look at the row");
    }

    @Test
    void knowsThatNothingWasWrittenWhenTheLookAtARefusingRowIsLost() {
        inventory.jdbi.onDemand(Dao.class).sell("4711", FencingToken.of(8));
        Dao dao = jdbi.onDemand(Dao.class);

        breaking.loseAtExecution(2);
        assertThat(dao.sell("4711", FencingToken.of(7))).isEqualTo(new WriteOutcome.Retryable("57P01"));
        assertThat(breaking.hasBroken()).isTrue();

        breaking.loseAtExecution(2);
        assertThatThrownBy(() -> dao.set("4711", 1, FencingToken.of(7)))
                .isInstanceOf(RetryableWriteException.class)
                .hasMessageContaining("57P01")
                .hasCauseInstanceOf(java.sql.SQLException.class);
        assertThat(breaking.hasBroken()).isTrue();
        assertThat(inventory.stock("4711")).isEqualTo(9);
    }

    @Test
    void saysWhatHappenedWhenTheLocksOfAClaimAreLost() {
        breaking.loseAtExecution(1);
        assertThatThrownBy(() -> jdbi.useTransaction(handle -> Fencing.claim(
                                handle.createQuery("SELECT sku FROM inventory WHERE place = 'A' ORDER BY sku"),
                                FencingToken.of(7))
                        .rows(Rows.MANY)
                        .query()
                        .mapTo(String.class)
                        .list()))
                .isInstanceOf(RetryableWriteException.class)
                .hasMessageContaining("57P01");
        assertThat(breaking.hasBroken()).isTrue();
    }
}
