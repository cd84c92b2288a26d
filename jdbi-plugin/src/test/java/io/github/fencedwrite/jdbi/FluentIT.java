package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.StaleVerdict;
import io.github.fencedwrite.migrations.FencingMigrations;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Handles instead of SQL Objects. */
@Tag("jdbi")
class FluentIT {

    private final InventoryFixture inventory = new InventoryFixture();

    private static FencingToken token(long value) {
        return FencingToken.of(value);
    }

    private RowWrite row(String sku) {
        return Fencing.row("public.inventory").key("sku", sku);
    }

    @Test
    void writesRowsWithoutSqlText() {
        inventory.jdbi.useHandle(handle -> {
            assertThat(row("4711").set("stock", 5).update(handle, token(5))).isEqualTo(new WriteOutcome.Applied(1));
            assertThat(row("4711").set("stock", 5).update(handle, token(4)))
                    .isEqualTo(new WriteOutcome.Stale(token(4), token(5)));
            assertThat(row("4711").claim(handle, token(6)).mapToMap().one()).containsEntry("stock", 5);
            assertThat(row("4711").set("stock", 6).mode(FenceMode.CLAIMED).update(handle, token(6)))
                    .isEqualTo(new WriteOutcome.Applied(1));
            assertThat(row("new").set("stock", 1).set("place", null).insert(handle, token(6)))
                    .isEqualTo(new WriteOutcome.Applied(1));
            assertThat(row("new").set("stock", 2).upsert(handle, token(7))).isEqualTo(new WriteOutcome.Applied(1));
            assertThat(row("new").set("stock", 2).upsert(handle, token(6)))
                    .isEqualTo(new WriteOutcome.Stale(token(6), token(7)));
            assertThat(row("new").delete(handle, token(8))).isEqualTo(new WriteOutcome.Applied(1));
            assertThatThrownBy(() -> row("x").update(handle, token(1))).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> Fencing.row("inventory").key("sku", null))
                    .isInstanceOf(NullPointerException.class);
        });
    }

    @Test
    void guardsBatches() {
        inventory.jdbi.useTransaction(handle -> {
            String sql = "UPDATE inventory SET stock = :stock WHERE sku = :sku";
            Fencing.fence(handle.createUpdate(sql).bind("stock", 1).bind("sku", "4712"), token(9))
                    .executeOrThrow();
            List<WriteOutcome> outcomes = Fencing.fence(
                            handle.prepareBatch(sql)
                                    .bind("stock", 1)
                                    .bind("sku", "4711")
                                    .add()
                                    .bind("stock", 2)
                                    .bind("sku", "4712")
                                    .add()
                                    .bind("stock", 2)
                                    .bind("sku", "none")
                                    .add(),
                            token(8))
                    .execute();
            assertThat(outcomes)
                    .containsExactly(
                            new WriteOutcome.Applied(1),
                            new WriteOutcome.Stale(token(8), token(9)),
                            new WriteOutcome.NotFound());
            assertThatThrownBy(() -> Fencing.fence(
                                    handle.prepareBatch(sql)
                                            .bind("stock", 1)
                                            .bind("sku", "4712")
                                            .add(),
                                    token(8))
                            .executeOrThrow())
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContaining("sku=4712");
        });
    }

    @Test
    void claimsOfOverlappingRowsDoNotDeadlock() {
        for (int round = 1; round <= 20; round++) {
            long a = 2L * round;
            var up = claimAll("sku", a);
            var down = claimAll("sku", a + 1);
            for (CompletableFuture<Object> claim : List.of(up, down)) {
                // a stale claim is told so; a deadlock would be a RetryableWriteException
                assertThat(claim.join()).isIn("claimed", "StaleTokenException", "PartialWriteException");
            }
            assertThat(down.join()).as("the newer one is never refused").isEqualTo("claimed");
        }
    }

    private CompletableFuture<Object> claimAll(String order, long token) {
        return CompletableFuture.supplyAsync(() -> inventory.jdbi.inTransaction(handle -> {
            try {
                Fencing.claim(
                                handle.createQuery("SELECT sku FROM inventory WHERE stock > 0 ORDER BY " + order),
                                token(token))
                        .rows(Rows.MANY)
                        .query()
                        .mapTo(String.class)
                        .list();
                return "claimed";
            } catch (WriteNotAppliedException e) {
                handle.rollback();
                return e.getClass().getSimpleName();
            }
        }));
    }

    @Test
    void asksTheLeaseAboutRefusalsItShouldNotHaveMet() {
        var forgetful = new TestLease("sku:4711", 5, java.time.Duration.ofSeconds(10)) {
            @Override
            public StaleVerdict reportStale(long storedToken) {
                assertThat(storedToken).isEqualTo(9);
                return StaleVerdict.LIFTED;
            }
        };
        inventory.jdbi.useHandle(handle -> {
            row("4711").set("stock", 1).update(handle, token(9));
            String sql = "UPDATE inventory SET stock = 2 WHERE sku = '4711'";
            assertThat(Fencing.fence(handle.createUpdate(sql), forgetful).execute())
                    .isEqualTo(new WriteOutcome.Regression(token(5), token(9)));
            assertThatThrownBy(() ->
                            Fencing.fence(handle.createUpdate(sql), forgetful).executeOrThrow())
                    .isInstanceOf(TokenRegressionException.class)
                    .hasMessageContaining("is still held");
            var over = new TestLease("sku:4711", 5, java.time.Duration.ZERO);
            assertThat(Fencing.fence(handle.createUpdate(sql), over).execute())
                    .as("a lease that is over is simply stale")
                    .isEqualTo(new WriteOutcome.Stale(token(5), token(9)));
        });
    }

    @Test
    void inspectsTablesWithAndWithoutTheMigrations() {
        assertThat(Fencing.inspect(inventory.jdbi, "public.inventory", "last_token"))
                .as("no limit of the driver for a server that has stopped")
                .extracting(TableFinding::code)
                .contains("socket_timeout");
        var dataSource = inventory.database.dataSource();
        dataSource.setSocketTimeout(60);
        Jdbi jdbi = Jdbi.create(dataSource);
        inventory.jdbi.useHandle(handle -> handle.execute("DROP SCHEMA IF EXISTS fencing CASCADE"));
        assertThat(Fencing.inspect(jdbi, "public.inventory", "last_token")).isEmpty();
        assertThat(Fencing.inspect(jdbi, "nowhere", "last_token"))
                .extracting(TableFinding::code)
                .containsExactly("table_missing");
        inventory.jdbi.useHandle(handle -> {
            handle.execute("CREATE TABLE odd (a int, last_token int)");
            handle.execute("CREATE INDEX ON odd (last_token)");
            handle.execute("ALTER TABLE odd ENABLE ROW LEVEL SECURITY");
            handle.execute("CREATE TABLE bare (a int)");
        });
        assertThat(Fencing.inspect(jdbi, "odd", "last_token"))
                .extracting(TableFinding::code)
                .containsExactly("column_type", "column_nullable", "index", "row_security");
        assertThat(Fencing.inspect(jdbi, "bare", "last_token"))
                .extracting(TableFinding::code)
                .containsExactly("column_missing");
        FencingMigrations.on(inventory.database.dataSource()).install();
        assertThat(Fencing.inspect(jdbi, "public.inventory", "last_token"))
                .extracting(TableFinding::code)
                .containsExactly("not_registered");
    }

    @Test
    void placesFragmentsByHand() {
        inventory.jdbi.useHandle(handle -> {
            String merge = "MERGE INTO inventory i USING (VALUES (:sku, :stock)) AS s (sku, stock) ON i.sku = s.sku"
                    + " WHEN MATCHED AND {fence.guard i} THEN UPDATE SET stock = s.stock, {fence.set}"
                    + " WHEN NOT MATCHED THEN INSERT (sku, stock, last_token) VALUES (s.sku, s.stock, {fence.token})";
            assertThat(merge(handle, merge, token(5))).isEqualTo(new WriteOutcome.Applied(1));
            assertThat(merge(handle, merge, token(4))).isEqualTo(new WriteOutcome.Stale(token(4), null));
            assertThat(inventory.stock("4711")).isEqualTo(7);
            assertThatThrownBy(() -> handle.execute(merge.replace(":sku", "'x'").replace(":stock", "1")))
                    .as("without the guard it cannot run")
                    .hasMessageContaining("syntax error");
        });
    }

    private static WriteOutcome merge(Handle handle, String sql, FencingToken token) {
        return Fencing.fence(handle.createUpdate(sql).bind("sku", "4711").bind("stock", 7), token)
                .execute();
    }
}
