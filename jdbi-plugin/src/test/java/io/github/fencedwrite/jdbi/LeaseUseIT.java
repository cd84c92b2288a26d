package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.StaleVerdict;
import io.github.fencedwrite.migrations.FencingMigrations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.junit.jupiter.api.Test;

/** A lease is taken wherever a token is, and is asked no more than needed. */
class LeaseUseIT {

    private final InventoryFixture inventory = new InventoryFixture();

    public interface Dao {
        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        void set(String sku, int stock, Lease lease);

        @Fenced
        @SqlBatch("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        List<WriteOutcome> setAll(List<String> sku, int stock, Lease lease);
    }

    /** Remembers about which tokens it was asked, and has been lifted then. */
    private static final class AskedLease extends TestLease {

        final List<Long> asked = new ArrayList<>();

        AskedLease(long token) {
            super("sku:4711", token, Duration.ofSeconds(10));
        }

        @Override
        public StaleVerdict reportStale(long storedToken) {
            asked.add(storedToken);
            return StaleVerdict.LIFTED;
        }
    }

    @Test
    void isTakenByEveryForm() throws Exception {
        String set = "UPDATE inventory SET stock = stock + 1 WHERE sku = ";
        inventory.jdbi.useHandle(handle -> {
            assertThat(Fencing.fence(handle.createUpdate(set + "'4711'"), lease(1))
                            .execute())
                    .isEqualTo(new WriteOutcome.Applied(1));
            assertThat(Fencing.fence(handle.createQuery(set + "'4711' RETURNING stock"), lease(2))
                            .mode(FenceMode.FIRST)
                            .column("last_token")
                            .query()
                            .mapTo(Integer.class)
                            .one())
                    .isEqualTo(12);
            assertThat(Fencing.claim(handle.createQuery("SELECT stock FROM inventory WHERE sku = '4711'"), lease(3))
                            .column("last_token")
                            .query()
                            .mapTo(Integer.class)
                            .one())
                    .isEqualTo(12);
            assertThatThrownBy(() -> Fencing.claim(handle.createQuery("SELECT 1"), lease(3))
                            .mode(FenceMode.FIRST))
                    .isInstanceOf(IllegalStateException.class);
            RowWrite row = Fencing.row("inventory").key("sku", "4712").set("stock", 5);
            assertThat(row.update(handle, lease(4))).isEqualTo(new WriteOutcome.Applied(1));
            assertThat(row.upsert(handle, lease(5))).isEqualTo(new WriteOutcome.Applied(1));
            assertThat(row.insert(handle, lease(5))).isInstanceOf(WriteOutcome.AlreadyWritten.class);
            assertThat(row.claim(handle, lease(6)).mapToMap().list()).hasSize(1);
            assertThat(row.delete(handle, lease(7))).isEqualTo(new WriteOutcome.Applied(1));
        });
        FencedJdbc jdbc = FencedJdbc.on(inventory.database.dataSource());
        assertThat(jdbc.update(set + "?", lease(8), "4713")).isEqualTo(new WriteOutcome.Applied(1));
        jdbc.updateOrThrow(set + "?", lease(9), "4713");
        assertThat(jdbc.claim("SELECT stock FROM inventory WHERE sku = ?", lease(9), row -> row.getInt(1), "4713"))
                .containsExactly(32);
        assertThatThrownBy(() -> jdbc.updateOrThrow(set + "?", lease(8), "4713"))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining("another holder of \"sku:4711\"");
    }

    private static Lease lease(long token) {
        return TestLease.of("sku:4711", token);
    }

    @Test
    void severalRowsByPlainJdbcNeedATransaction() throws Exception {
        FencedJdbc jdbc = FencedJdbc.on(inventory.database.dataSource()).rows(Rows.MANY);
        String set = "UPDATE inventory SET stock = 0";
        assertThatThrownBy(() -> jdbc.update(set, lease(1))).isInstanceOf(IllegalStateException.class);
        try (Handle handle = inventory.jdbi.open()) {
            handle.begin();
            FencedJdbc joined = FencedJdbc.on(handle.getConnection()).rows(Rows.MANY);
            assertThat(joined.update(set, lease(1))).isEqualTo(new WriteOutcome.Applied(3));
            handle.execute("UPDATE inventory SET last_token = 9 WHERE sku = '4711'");
            assertThatThrownBy(() -> joined.update(set, lease(2))).isInstanceOf(PartialWriteException.class);
            assertThat(joined.partial(true).update("DELETE FROM inventory", lease(3)))
                    .isEqualTo(new WriteOutcome.Partial(lease(3).token(), 2, 1));
            handle.rollback();
        }
    }

    @Test
    void aReleasedLeaseBeginsNoWrite() {
        Lease released = lease(5);
        released.close();
        Dao dao = inventory.jdbi.onDemand(Dao.class);
        assertThatThrownBy(() -> dao.set("4711", 1, released))
                .isInstanceOfSatisfying(
                        LeaseNotHeldException.class,
                        e -> assertThat(e.resource()).isEqualTo("sku:4711"));
        assertThatThrownBy(() -> dao.setAll(List.of("4711"), 1, released)).isInstanceOf(LeaseNotHeldException.class);
        assertThatThrownBy(() -> FencedJdbc.on(inventory.database.dataSource())
                        .update("UPDATE inventory SET stock = 1", released))
                .isInstanceOf(LeaseNotHeldException.class);
        assertThat(inventory.stock("4711")).isEqualTo(10);
    }

    @Test
    void aLeaseThatRanOutIsLeftToTheGuard() {
        Lease ranOut = new TestLease("sku:4711", 5, Duration.ZERO);
        inventory.jdbi.onDemand(Dao.class).set("4711", 1, ranOut);
        assertThat(inventory.stock("4711")).isEqualTo(1);
    }

    @Test
    void asksTheNodesOnceForABatch() {
        inventory.jdbi.useHandle(
                handle -> handle.execute("UPDATE inventory SET last_token = CASE sku WHEN '4712' THEN 9 ELSE 8 END"));
        AskedLease lease = new AskedLease(5);
        assertThat(inventory.jdbi.onDemand(Dao.class).setAll(List.of("4711", "4712", "4713"), 1, lease))
                .allMatch(WriteOutcome.Regression.class::isInstance);
        assertThat(lease.asked).containsExactly(9L);
    }

    @Test
    void listenersHearOfTransactionsThatWereRefused() {
        FencingMigrations.on(inventory.database.dataSource()).install();
        List<String> heard = new ArrayList<>();
        inventory.jdbi.installPlugin(
                new FencingPlugin().listener((target, outcome) -> heard.add(target.table() + " " + outcome)));
        FencedTransactions fencing = Fencing.of(inventory.jdbi);
        fencing.useTransaction(lease(9), handle -> {});
        assertThatThrownBy(() -> fencing.useTransaction(lease(8), handle -> {}))
                .isInstanceOf(StaleTokenException.class);
        assertThat(heard).containsExactly("fencing.fence Stale[presented=8, stored=9]");
    }

    @Test
    void listenersHearOfEachOutcome() throws Exception {
        List<Map.Entry<String, WriteOutcome>> heard = new ArrayList<>();
        WriteListener listener = (target, outcome) ->
                heard.add(Map.entry(target.table() + " of " + target.lease().resource(), outcome));
        inventory
                .jdbi
                .installPlugin(new FencingPlugin().listener(listener))
                .installPlugin(new FencingPlugin().listener((target, outcome) -> {
                    throw new IllegalStateException("is logged");
                }));
        Dao dao = inventory.jdbi.onDemand(Dao.class);
        dao.setAll(List.of("4711", "none"), 1, lease(5));
        assertThatThrownBy(() -> dao.set("4711", 1, lease(4))).isInstanceOf(StaleTokenException.class);
        FencedJdbc.on(inventory.database.dataSource())
                .listener(listener)
                .update("DELETE FROM inventory WHERE sku = ?", lease(6), "4711");
        assertThat(heard)
                .containsExactly(
                        Map.entry("inventory of sku:4711", new WriteOutcome.Applied(1)),
                        Map.entry("inventory of sku:4711", new WriteOutcome.NotFound()),
                        Map.entry("inventory of sku:4711", new WriteOutcome.Stale(lease(4).token(), lease(5).token())),
                        Map.entry("inventory of sku:4711", new WriteOutcome.Applied(1)));
    }
}
