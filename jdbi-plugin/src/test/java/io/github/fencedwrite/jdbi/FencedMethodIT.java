package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.LeaseRequest;
import io.github.fencedwrite.migrations.FencingMigrations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jdbi.v3.sqlobject.SqlObject;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Methods of SQL Objects that are fenced transactions themselves. */
@Tag("contract")
class FencedMethodIT {

    private final InventoryFixture inventory = new InventoryFixture();
    private final List<String> events = new ArrayList<>();
    private final Jdbi jdbi = Jdbi.create(inventory.database.dataSource())
            .installPlugin(new SqlObjectPlugin())
            .installPlugin(new FencingPlugin().locks((request, wait) -> {
                events.add("acquired for " + wait);
                return new TestLease(request.resource(), 9, request.ttl()) {
                    @Override
                    public void close() {
                        events.add("released");
                        super.close();
                    }
                };
            }));

    interface Dao extends SqlObject {
        @SqlUpdate("UPDATE inventory SET stock = stock - 1 WHERE sku = '4711'")
        int sell();

        @FencedTransaction
        default String sellUnder(Lease lease, boolean fails) {
            sell();
            if (fails) {
                throw new IllegalStateException("no");
            }
            return getHandle()
                    .createQuery("SELECT current_setting('fencing.token')")
                    .mapTo(String.class)
                    .one();
        }

        @FencedTransaction(isolation = TransactionIsolationLevel.REPEATABLE_READ)
        default void sellLocked(LeaseRequest lock, Duration waitAtMost, List<String> events, AtomicInteger failures) {
            sell();
            getHandle().afterCommit(() -> events.add("committed"));
            if (failures.getAndDecrement() > 0) {
                getHandle().execute("DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$");
            }
        }

        @FencedTransaction
        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        WriteOutcome set(String sku, int stock, Lease lease);
    }

    interface WithoutLock extends SqlObject {
        @FencedTransaction
        default void nothing(String resource) {}
    }

    interface WithTwo extends SqlObject {
        @FencedTransaction
        default void two(Lease from, Lease to) {}
    }

    @BeforeEach
    void install() {
        FencingMigrations.on(inventory.database.dataSource()).install();
    }

    @Test
    void defaultMethodIsTheBody() {
        Dao dao = jdbi.onDemand(Dao.class);
        assertThat(dao.sellUnder(TestLease.of("sku:4711", 7), false)).isEqualTo("7");
        assertThat(inventory.stock("4711")).isEqualTo(9);
        assertThatThrownBy(() -> dao.sellUnder(TestLease.of("sku:4711", 8), true))
                .hasMessage("no");
        assertThatThrownBy(() -> dao.sellUnder(TestLease.of("sku:4711", 6), false))
                .isInstanceOf(StaleTokenException.class);
        assertThat(inventory.stock("4711")).as("rolled back, and refused").isEqualTo(9);
        jdbi.useHandle(handle -> assertThat(handle.attach(Dao.class).sellUnder(TestLease.of("sku:4711", 7), false))
                .isEqualTo("7"));
        assertThat(inventory.stock("4711")).as("on a handle of the caller's").isEqualTo(8);
        jdbi.useTransaction(handle -> {
            handle.attach(Dao.class).sellUnder(TestLease.of("sku:4711", 7), false);
            handle.rollback();
        });
        assertThat(inventory.stock("4711")).as("joined").isEqualTo(8);
    }

    @Test
    void requestIsAcquiredAheadAndReleasedBehind() {
        Dao dao = jdbi.onDemand(Dao.class);
        dao.sellLocked(
                LeaseRequest.of("sku:4711", Duration.ofSeconds(10)),
                Duration.ofSeconds(3),
                events,
                new AtomicInteger(2));
        assertThat(events).containsExactly("acquired for PT3S", "committed", "released");
        assertThat(inventory.stock("4711")).isEqualTo(9);
    }

    @Test
    void guardedMethodWithoutBodyIsOneToo() {
        Dao dao = jdbi.onDemand(Dao.class);
        assertThat(dao.set("4711", 3, TestLease.of("sku:4711", 7))).isEqualTo(new WriteOutcome.Applied(1));
        assertThatThrownBy(() -> dao.set("4711", 4, TestLease.of("sku:4711", 6)))
                .as("refused by the fence row")
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining("fencing.fence");
    }

    @Test
    void saysWhatIsMissing() {
        assertThatThrownBy(() -> jdbi.onDemand(WithoutLock.class).nothing("x"))
                .hasStackTraceContaining("either one Lease, or one LeaseRequest");
        assertThatThrownBy(() -> jdbi.onDemand(WithTwo.class).two(TestLease.of("a", 1), TestLease.of("b", 2)))
                .hasStackTraceContaining("more than one parameter of type Lease");
        Dao dao = inventory.jdbi.onDemand(Dao.class);
        assertThatThrownBy(() -> dao.sellLocked(
                        LeaseRequest.of("sku:4711", Duration.ofSeconds(10)),
                        Duration.ZERO,
                        events,
                        new AtomicInteger()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("locks(locks::acquire)");
        assertThatThrownBy(() -> dao.sellUnder(null, false)).isInstanceOf(NullPointerException.class);
    }
}
