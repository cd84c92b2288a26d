package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.migrations.FencingMigrations;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jdbi.v3.sqlobject.customizer.Bind;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** All levels on tables that the migrations enforce, and their errors in our own words. */
@Tag("contract")
class EnforcementIT {

    private final InventoryFixture inventory = new InventoryFixture();
    private final Jdbi announcing = Jdbi.create(inventory.database.dataSource())
            .installPlugin(new SqlObjectPlugin())
            .installPlugin(FencingPlugin.announcing());
    private final Dao dao = announcing.onDemand(Dao.class);
    private final Dao silent = inventory.jdbi.onDemand(Dao.class);

    interface Dao {
        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        WriteOutcome set(String sku, int stock, FencingToken token);

        @Fenced(mode = FenceMode.CLAIMED)
        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        WriteOutcome setClaimed(String sku, int stock, FencingToken token);

        @Fenced
        @SqlUpdate("INSERT INTO inventory (sku, stock) VALUES (:sku, :stock)")
        void insert(String sku, int stock, FencingToken token);

        @Fenced
        @SqlUpdate("INSERT INTO inventory (sku, stock) VALUES (:sku, :stock)"
                + " ON CONFLICT (sku) DO UPDATE SET stock = EXCLUDED.stock")
        WriteOutcome put(String sku, int stock, FencingToken token);

        @Fenced
        @SqlUpdate("DELETE FROM inventory WHERE sku = :sku")
        WriteOutcome delete(String sku, FencingToken token);

        @Claim
        @SqlQuery("SELECT stock FROM inventory WHERE sku = :sku")
        int claim(String sku, FencingToken token);

        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        void plain(String sku, int stock);

        /** With a guard in the wrong place, so that the trigger has to refuse. */
        @Fenced
        @SqlBatch("UPDATE inventory SET stock = 7, {fence.set} WHERE sku = :sku AND ({fence.guard inventory} OR true)")
        void misguarded(List<String> sku, List<Lease> lease);

        @SqlBatch("UPDATE inventory SET stock = :stock, last_token = :token WHERE sku = :sku")
        void byHand(List<String> sku, int stock, @Bind("token") FencingToken token);
    }

    @BeforeEach
    void install() {
        FencingMigrations.on(inventory.database.dataSource()).install();
        inventory.jdbi.useHandle(handle -> handle.execute("SELECT fencing.protect('public.inventory')"));
    }

    private void enforce(String mode) {
        inventory.jdbi.useHandle(handle -> handle.execute("SELECT fencing.enforce('public.inventory', ?)", mode));
    }

    private static FencingToken token(long value) {
        return FencingToken.of(value);
    }

    @Test
    void everyLevelWorksOnStrictTablesInOneStatement() {
        enforce("strict");
        assertThat(dao.set("4711", 1, token(5))).isEqualTo(new WriteOutcome.Applied(1));
        assertThat(dao.set("4711", 1, token(4))).isEqualTo(new WriteOutcome.Stale(token(4), token(5)));
        assertThat(dao.claim("4711", token(6))).isEqualTo(1);
        assertThat(dao.claim("4711", token(6))).isEqualTo(1);
        assertThat(dao.setClaimed("4711", 2, token(6))).isEqualTo(new WriteOutcome.Applied(1));
        assertThat(dao.setClaimed("4711", 3, token(6))).isEqualTo(new WriteOutcome.Applied(1));
        dao.insert("new", 1, token(6));
        assertThat(dao.put("new", 2, token(7))).isEqualTo(new WriteOutcome.Applied(1));
        assertThat(dao.put("newer", 2, token(7))).isEqualTo(new WriteOutcome.Applied(1));
        assertThat(dao.delete("new", token(8))).isEqualTo(new WriteOutcome.Applied(1));
        assertThat(inventory.stock("4711")).isEqualTo(3);
        Fencing.of(announcing).inTransaction(TestLease.of("order:1", 9), handle -> {
            handle.execute("INSERT INTO inventory (sku, stock) VALUES ('x', 1)");
            handle.execute("UPDATE inventory SET stock = 0");
            return handle.execute("DELETE FROM inventory");
        });
    }

    @Test
    void saysThatAnnouncingIsMissing() {
        enforce("strict");
        assertThatThrownBy(() -> silent.insert("new", 1, token(6)))
                .isInstanceOf(NotAnnouncedException.class)
                .hasMessageContaining("public.inventory(sku=new)")
                .hasMessageContaining("FencingPlugin.announcing()");
        assertThatThrownBy(() -> silent.plain("4711", 1)).isInstanceOf(NotAnnouncedException.class);
    }

    @Test
    void turnsRefusalsOfTriggersIntoStaleTokens() {
        enforce("monotonic");
        dao.set("4711", 1, token(5));
        assertThatThrownBy(() -> dao.byHand(List.of("4712", "4711"), 7, token(4)))
                .isInstanceOfSatisfying(StaleTokenException.class, stale -> {
                    assertThat(stale.presented()).isEqualTo(token(4));
                    assertThat(stale.stored()).hasValue(5);
                    assertThat(stale.target().table()).isEqualTo("public.inventory");
                    assertThat(stale.target().key()).isEqualTo("sku=4711");
                });
        assertThat(inventory.stock("4712")).as("the batch was rolled back").isEqualTo(20);
    }

    @Test
    void refusalByTheTriggerIsToldWithTheLeaseOfItsRow() {
        enforce("monotonic");
        dao.set("4712", 1, token(5));
        List<Lease> leases =
                List.of(TestLease.of("sku:4711", 6), TestLease.of("sku:4712", 4), TestLease.of("sku:4713", 7));
        assertThatThrownBy(() -> dao.misguarded(List.of("4711", "4712", "4713"), leases))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining("another holder of \"sku:4712\"");
        List<Lease> alike = List.of(TestLease.of("sku:4711", 4), TestLease.of("sku:4712", 4));
        assertThatThrownBy(() -> dao.misguarded(List.of("4711", "4712"), alike))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining("another holder of the resource");
        assertThat(inventory.stock("4711")).isEqualTo(10);
    }
}
