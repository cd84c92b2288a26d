package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.PreflightMode;
import io.github.fencedwrite.examples.servers.RedisNodes;
import io.github.fencedwrite.migrations.FencingMigrations;
import java.time.Duration;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Real nodes hand out a token that is older than that of a row, as they do when they have lost their counters and the clocks are
 * behind. The lease is held, so the refusal is no sign of another holder.
 */
class RegressionIT {

    private static final Duration TTL = Duration.ofSeconds(30);
    private static RedisNodes nodes;
    private static FencedLocks locks;

    private final InventoryFixture inventory = new InventoryFixture();
    private final Dao dao = inventory.jdbi.onDemand(Dao.class);

    interface Dao {
        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = '4711'")
        WriteOutcome set(int stock, Lease lease);

        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = '4711'")
        void setOrThrow(int stock, Lease lease);

        @Fenced
        @SqlUpdate("INSERT INTO inventory (sku, stock) VALUES ('4711', :stock)")
        WriteOutcome insert(int stock, Lease lease);
    }

    @BeforeAll
    static void start() {
        nodes = RedisNodes.start(3);
        // the nodes of this test do not write to disk at once
        locks = FencedLocks.builder()
                .nodes(nodes.uris())
                .quarantine(false)
                .preflight(PreflightMode.REPORT)
                .build();
    }

    @AfterAll
    static void stop() {
        locks.close();
        nodes.close();
    }

    private long ahead;

    @BeforeEach
    void writeWithTokenAheadOfTheNodes() {
        FencingMigrations.on(inventory.database.dataSource()).install();
        try (Lease before = locks.acquire("sku:4711", TTL, Duration.ZERO)) {
            ahead = before.token().value() + 60_000_000;
        }
        inventory.jdbi.useHandle(
                handle -> handle.execute("UPDATE inventory SET last_token = ? WHERE sku = '4711'", ahead));
    }

    @AfterEach
    void isLifted() {
        try (Lease next = locks.acquire("sku:4711", TTL, Duration.ZERO)) {
            assertThat(next.token().value()).isGreaterThan(ahead);
            assertThat(dao.set(7, next)).isEqualTo(new WriteOutcome.Applied(1));
        }
        assertThat(inventory.stock("4711")).isEqualTo(7);
    }

    private WriteOutcome regression(Lease lease) {
        return new WriteOutcome.Regression(lease.token(), FencingToken.of(ahead));
    }

    @Test
    void guardedStatementTellsRegressionFromStaleness() {
        try (Lease lease = locks.acquire("sku:4711", TTL, Duration.ZERO)) {
            assertThat(dao.set(1, lease)).isEqualTo(regression(lease));
        }
        assertThat(inventory.stock("4711")).isEqualTo(10);
    }

    @Test
    void refusedInsertIsOneAsWell() {
        try (Lease lease = locks.acquire("sku:4711", TTL, Duration.ZERO)) {
            assertThat(dao.insert(1, lease)).isEqualTo(regression(lease));
        }
    }

    @Test
    void exceptionSaysWhatHappened() {
        try (Lease lease = locks.acquire("sku:4711", TTL, Duration.ZERO)) {
            assertThatThrownBy(() -> dao.setOrThrow(1, lease))
                    .isInstanceOf(TokenRegressionException.class)
                    .hasMessageContaining(lease.token() + " is not newer than " + ahead)
                    .hasMessageContaining("\"sku:4711\" is still held")
                    .hasMessageContaining("Acquire again");
        }
    }

    @Test
    void fenceRowTellsItToo() {
        FencedTransactions fencing = Fencing.of(inventory.jdbi).withLocks(locks::acquire);
        fencing.inTransaction("sku:4711", FencingToken.of(ahead), handle -> null);
        assertThatThrownBy(() -> fencing.inLockedTransaction("sku:4711", TTL, Duration.ZERO, handle -> null))
                .isInstanceOf(TokenRegressionException.class)
                .hasMessageContaining("resource=sku:4711");
    }

    @Test
    void leaseThatIsOverIsSimplyStale() {
        Lease lease = locks.acquire("sku:4711", Duration.ofMillis(200), Duration.ZERO);
        await().until(() -> !lease.isValid());
        assertThat(dao.set(1, lease)).isEqualTo(new WriteOutcome.Stale(lease.token(), FencingToken.of(ahead)));
        try (Lease held = locks.acquire("sku:4711", TTL, Duration.ZERO)) {
            assertThat(dao.set(1, held)).isEqualTo(regression(held));
        }
    }
}
