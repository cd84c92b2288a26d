package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import java.sql.SQLException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jdbi.v3.sqlobject.transaction.Transaction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

/** A single statement is committed by somebody, or refused; never told as applied and then rolled back. */
class StatementOwnerIT {

    private static final String SET = "UPDATE inventory SET stock = 1 WHERE sku = '4711'";

    private final InventoryFixture inventory = new InventoryFixture();
    private final HikariDataSource pool = Pool.of(inventory.database, false);
    private final Jdbi jdbi = Pool.jdbi(pool);
    private final FencingToken token = FencingToken.of(5);
    private final Lease lease = TestLease.of("sku:4711", 5);

    public interface Dao {
        @Fenced
        @SqlUpdate(SET)
        void set(FencingToken token);

        @Fenced
        @SqlUpdate(SET)
        WriteOutcome outcome(FencingToken token);

        @Transaction
        @Fenced
        @SqlUpdate(SET)
        WriteOutcome inTransaction(FencingToken token);

        @Fenced
        @SqlBatch("UPDATE inventory SET stock = 1 WHERE sku = :sku")
        List<WriteOutcome> batch(List<String> sku, FencingToken token);

        @Claim
        @SqlQuery("SELECT stock FROM inventory WHERE sku = '4711'")
        int claim(FencingToken token);

        @SqlQuery("SELECT stock FROM inventory WHERE sku = '4711'")
        int read();
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private void refuses(ThrowingCallable write) {
        assertThatThrownBy(write).isInstanceOf(IllegalStateException.class).hasMessageContaining("autoCommit=false");
        assertThat(inventory.stock("4711")).isEqualTo(10);
    }

    @Test
    void isNobodyOnAPoolWithoutAutocommit() {
        Dao dao = jdbi.onDemand(Dao.class);
        refuses(() -> dao.set(token));
        refuses(() -> dao.outcome(token));
        refuses(() -> dao.inTransaction(token));
        refuses(() -> dao.batch(List.of("4711"), token));
        refuses(() -> dao.claim(token));
        refuses(() -> jdbi.useHandle(
                handle -> Fencing.fence(handle.createUpdate(SET), lease).execute()));
        refuses(() -> jdbi.useTransaction(
                handle -> Fencing.row("inventory").key("sku", "4711").delete(handle, lease)));
        refuses(() -> jdbi.useHandle(handle -> {
            handle.attach(Dao.class).read();
            handle.attach(Dao.class).set(token);
        }));
        refuses(() -> FencedJdbc.on(pool).update(SET, lease));
    }

    @Test
    void isWhoBeganTheTransaction() {
        jdbi.useHandle(handle -> {
            handle.begin();
            assertThat(handle.attach(Dao.class).outcome(token)).isEqualTo(new WriteOutcome.Applied(1));
            handle.commit();
        });
        assertThat(inventory.stock("4711")).isEqualTo(1);
        Fencing.of(jdbi)
                .withoutFenceRow()
                .useTransaction(
                        TestLease.of("sku:4711", 6),
                        handle -> handle.attach(Dao.class).set(FencingToken.of(6)));
        inventory.jdbi.useHandle(
                handle -> assertThat(handle.select("SELECT last_token FROM inventory WHERE sku = '4711'")
                                .mapTo(Long.class)
                                .one())
                        .isEqualTo(6));
    }

    @Test
    void isSpringInItsTransactions() {
        TransactionAwareDataSourceProxy aware = new TransactionAwareDataSourceProxy(pool);
        TransactionTemplate template = new TransactionTemplate(new DataSourceTransactionManager(pool));
        Jdbi joined = Pool.jdbi(aware);
        template.executeWithoutResult(status -> {
            assertThat(joined.onDemand(Dao.class).outcome(token)).isEqualTo(new WriteOutcome.Applied(1));
            status.setRollbackOnly();
        });
        assertThat(inventory.stock("4711")).isEqualTo(10);
        template.executeWithoutResult(status -> {
            try {
                assertThat(FencedJdbc.on(aware).update(SET, lease)).isEqualTo(new WriteOutcome.Applied(1));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(inventory.stock("4711")).isEqualTo(1);
        assertThatThrownBy(() -> FencedJdbc.on(aware).update(SET, lease)).isInstanceOf(IllegalStateException.class);
    }
}
