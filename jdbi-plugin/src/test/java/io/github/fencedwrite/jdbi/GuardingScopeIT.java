package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleConsumer;
import org.jdbi.v3.core.statement.DefaultStatementBuilder;
import org.jdbi.v3.core.statement.HashPrefixSqlParser;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlScript;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GuardingScopeIT {

    private final InventoryFixture inventory = new InventoryFixture();
    private final Dao dao = inventory.jdbi.onDemand(Dao.class);

    /** Knows nothing of tokens. */
    interface Dao {
        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        int set(String sku, int stock);

        @SqlUpdate("UPDATE public.inventory SET stock = ? WHERE sku = ?")
        int setByPosition(int stock, String sku);

        @SqlBatch("INSERT INTO inventory (sku, stock) VALUES (:sku, :stock)")
        void insert(List<String> sku, int stock);

        @SqlQuery("DELETE FROM inventory WHERE sku = :sku RETURNING sku")
        List<String> delete(String sku);

        @SqlQuery("WITH x AS (SELECT 1) SELECT stock FROM inventory WHERE sku = :sku FOR UPDATE")
        int read(String sku);

        @SqlUpdate("INSERT INTO audit VALUES (:text)")
        void audit(String text);

        @SqlUpdate("INSERT INTO ledger VALUES (:text)")
        void ledger(String text);

        @SqlScript("UPDATE inventory SET stock = 0")
        void script();
    }

    @BeforeEach
    void tables() {
        inventory.jdbi.useHandle(handle -> {
            handle.execute("CREATE TABLE audit (text text)");
            handle.execute("CREATE TABLE ledger (text text)");
        });
    }

    private GuardingScope scope(long token) {
        return Fencing.guarding(inventory.jdbi, FencingToken.of(token))
                .table("public.inventory", FenceMode.FIRST)
                .unfenced("audit");
    }

    private void in(long token, HandleConsumer<RuntimeException> body) {
        scope(token).run(body.asCallback());
    }

    @Test
    void guardsEveryStatementOnListedTables() {
        in(8, handle -> {
            assertThat(dao.set("4711", 1)).isEqualTo(1);
            assertThat(dao.setByPosition(2, "4712")).isEqualTo(1);
            assertThat(dao.set("none", 1)).isZero();
            assertThat(dao.read("4711")).isEqualTo(1);
            dao.insert(List.of("a", "b"), 5);
            assertThat(handle.execute("UPDATE inventory SET place = ? WHERE sku = ?", "Z", "4713"))
                    .isEqualTo(1);
            dao.audit("done");
        });
        in(7, handle -> {
            assertThatThrownBy(() -> dao.set("4711", 9))
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContaining("inventory(sku=4711)");
            assertThatThrownBy(() -> dao.setByPosition(9, "4712")).isInstanceOf(StaleTokenException.class);
            assertThatThrownBy(() -> dao.delete("a")).isInstanceOf(StaleTokenException.class);
            assertThatThrownBy(() -> handle.prepareBatch("UPDATE inventory SET stock = 9 WHERE sku = #sku")
                            .configure(SqlStatements.class, s -> s.setSqlParser(new HashPrefixSqlParser()))
                            .bind("sku", "4713")
                            .add()
                            .execute())
                    .isInstanceOf(StaleTokenException.class);
        });
        assertThat(inventory.stock("4711")).isEqualTo(1);
        assertThat(dao.set("4711", 3)).as("after the scope").isEqualTo(1);
    }

    private void refuses(HandleConsumer<RuntimeException> body, String reason) {
        in(
                8,
                handle -> assertThatThrownBy(() -> body.useHandle(handle))
                        .isInstanceOf(StatementRefusedException.class)
                        .hasMessageContaining(reason));
        assertThat(inventory.stock("4711")).isEqualTo(10);
    }

    @Test
    void refusesTheRest() {
        refuses(handle -> dao.ledger("x"), "table ledger is not listed");
        refuses(handle -> dao.script(), "Scripts and plain batches");
        refuses(
                handle -> handle.createScript("UPDATE inventory SET stock = 0; DELETE FROM inventory")
                        .execute(),
                "Scripts");
        refuses(
                handle -> handle.createBatch()
                        .add("UPDATE inventory SET stock = 0")
                        .execute(),
                "plain batches");
        refuses(handle -> handle.createCall("{call now()}").invoke(), "Calls");
        refuses(handle -> handle.execute("TRUNCATE inventory"), "TRUNCATE");
        refuses(handle -> handle.execute("MERGE INTO inventory USING audit ON true WHEN MATCHED THEN DELETE"), "MERGE");
        refuses(handle -> handle.execute("WITH d AS (DELETE FROM inventory RETURNING 1) SELECT 1"), "WITH");
        refuses(handle -> handle.execute("DO $$ BEGIN DELETE FROM inventory; END $$"), "code block");
        refuses(handle -> handle.execute("EXPLAIN ANALYZE DELETE FROM inventory"), "EXPLAIN");
        refuses(handle -> handle.execute("INSERT INTO inventory (sku) SELECT 'x'"), "VALUES");
        refuses(handle -> handle.execute("SELECT 1; DELETE FROM inventory"), "several statements");
    }

    @Test
    void noticesAnotherStatementBuilder() {
        assertThatThrownBy(() -> in(8, handle -> handle.setStatementBuilder(new DefaultStatementBuilder())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not guarded");
    }

    @Test
    void doesNotNest() {
        assertThatThrownBy(() -> in(8, handle -> in(9, Handle::getConnection)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("do not nest");
    }
}
