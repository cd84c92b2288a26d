package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.migrations.FencingMigrations;
import java.util.List;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleConsumer;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.jdbi.v3.core.statement.Update;
import org.jdbi.v3.sqlobject.customizer.Define;
import org.jdbi.v3.sqlobject.statement.BatchChunkSize;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Other ways through Jdbi's statement API: each is guarded, or ends in an exception. Row 4711 carries token 9. */
@Tag("jdbi")
class NoWayAroundIT {

    private static final String SET = "UPDATE inventory SET stock = 0 WHERE sku = '4711'";
    private static final FencingToken STALE = FencingToken.of(8);

    private final InventoryFixture inventory = new InventoryFixture();
    private final FencedTransactions fencing = Fencing.of(inventory.jdbi);

    @BeforeEach
    void stamp() {
        FencingMigrations.on(inventory.database.dataSource()).install();
        inventory.jdbi.useHandle(handle -> handle.execute("UPDATE inventory SET last_token = 9 WHERE sku = '4711'"));
    }

    private void refuses(HandleConsumer<RuntimeException> way, Class<? extends Exception> with) {
        assertThatThrownBy(() -> inventory.jdbi.useHandle(way)).isInstanceOf(with);
        assertThat(inventory.stock("4711")).isEqualTo(10);
    }

    private void refusesInScope(HandleConsumer<RuntimeException> way, Class<? extends Exception> with) {
        refuses(
                handle -> Fencing.guarding(inventory.jdbi, STALE)
                        .table("inventory", FenceMode.FIRST)
                        .use(way),
                with);
    }

    @Test
    void executingTheUpdateItselfIsGuarded() {
        refuses(
                handle -> {
                    Update update = handle.createUpdate(SET);
                    Fencing.fence(update, STALE);
                    update.execute();
                },
                StaleTokenException.class);
        refuses(
                handle -> {
                    Update update = handle.createUpdate(SET);
                    Fencing.fence(update, STALE);
                    update.executeAndReturnGeneratedKeys("stock")
                            .mapTo(Integer.class)
                            .list();
                },
                StaleTokenException.class);
        refuses(
                handle -> {
                    Update update = handle.createUpdate(SET + " RETURNING stock");
                    Fencing.fence(update, STALE);
                    update.executeAndReturnGeneratedKeys().mapTo(Integer.class).list();
                },
                StaleTokenException.class);
        refuses(
                handle -> {
                    Update update = handle.createUpdate(SET);
                    Fencing.fence(update, STALE);
                    update.execute((statement, ctx) -> statement.get());
                },
                StaleTokenException.class);
    }

    @Test
    void executingTheBatchItselfIsGuarded() {
        refuses(
                handle -> {
                    PreparedBatch batch = handle.prepareBatch(SET + " OR sku = :sku");
                    Fencing.fence(batch, STALE);
                    batch.bind("sku", "none").add().execute();
                },
                StaleTokenException.class);
        refuses(
                handle -> {
                    PreparedBatch batch = handle.prepareBatch(SET + " OR sku = :sku");
                    Fencing.fence(batch, STALE);
                    batch.bind("sku", "none")
                            .add()
                            .executePreparedBatch("stock")
                            .mapTo(Integer.class)
                            .list();
                },
                StaleTokenException.class);
    }

    @Test
    void queriesAreGuardedHoweverTheyAreRead() {
        List<java.util.function.Function<Query, Object>> ways = List.of(
                query -> query.mapTo(Integer.class).stream().toList(),
                query -> query.mapTo(Integer.class).iterator().hasNext(),
                query -> query.mapTo(Integer.class).findFirst(),
                query -> query.mapToMap().list(),
                query -> query.reduceRows((map, row) -> {}).toList(),
                query -> query.scanResultSet((rows, ctx) -> rows.get().next()),
                query -> query.execute((statement, ctx) -> statement.get()),
                query -> query.concurrentUpdatable().mapTo(Integer.class).list(),
                query -> query.setFetchSize(1).mapTo(Integer.class).list());
        for (var way : ways) {
            refuses(
                    handle -> {
                        var unused = way.apply(Fencing.fence(handle.createQuery(SET + " RETURNING stock"), STALE)
                                .query());
                    },
                    StaleTokenException.class);
            refuses(
                    handle -> {
                        var unused = way.apply(Fencing.claim(
                                        handle.createQuery("SELECT stock FROM inventory WHERE sku = '4711'"), STALE)
                                .query());
                    },
                    StaleTokenException.class);
        }
    }

    @Test
    void scopeCoversEveryShortCut() {
        refusesInScope(handle -> handle.execute(SET), StaleTokenException.class);
        refusesInScope(
                handle ->
                        handle.select(SET + " RETURNING stock").mapTo(int.class).list(),
                StaleTokenException.class);
        refusesInScope(handle -> handle.createQuery(SET).mapTo(int.class).list(), StaleTokenException.class);
        refusesInScope(
                handle -> handle.createUpdate("<verb> inventory SET stock = 0 WHERE sku = '4711'")
                        .define("verb", "UPDATE")
                        .execute(),
                StaleTokenException.class);
        refusesInScope(
                handle -> handle.prepareBatch(SET + " OR sku = ?").add("none").execute(), StaleTokenException.class);
        refusesInScope(
                handle -> handle.inTransaction(h -> inventory.jdbi.withHandle(same -> same.execute(SET))),
                StaleTokenException.class);
        refusesInScope(handle -> handle.createScript(SET).execute(), StatementRefusedException.class);
        refusesInScope(handle -> handle.createScript(SET).executeAsSeparateStatements(), StaleTokenException.class);
        refusesInScope(handle -> handle.createBatch().add(SET).execute(), StatementRefusedException.class);
        refusesInScope(handle -> handle.createCall(SET).invoke(), StatementRefusedException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(WITH d AS (UPDATE inventory SET stock = 0 RETURNING 1) SELECT * FROM d)",
                "((WITH d AS (DELETE FROM inventory RETURNING 1) SELECT * FROM d))",
                "WITH a AS (SELECT 1), d AS (DELETE FROM inventory RETURNING 1) SELECT * FROM d",
                "/* SELECT */ TRUNCATE inventory",
                "PREPARE p AS DELETE FROM inventory",
                "EXECUTE p",
                "COPY inventory FROM PROGRAM 'true'",
                "ALTER TABLE inventory ALTER stock TYPE int USING 0",
                "CREATE TABLE copied AS WITH d AS (DELETE FROM inventory RETURNING 1) SELECT * FROM d",
                "REFRESH MATERIALIZED VIEW v",
                "MERGE INTO inventory USING (SELECT 1) s ON true WHEN MATCHED THEN DELETE",
            })
    void scopeSeesWritesBehindOtherWords(String sql) {
        refusesInScope(handle -> handle.execute(sql), StatementRefusedException.class);
    }

    @Test
    void scopeRefusesRowsThatAreWrittenInPlace() {
        refusesInScope(
                handle -> handle.createQuery("SELECT sku, stock FROM inventory WHERE sku = '4711'")
                        .concurrentUpdatable()
                        .scanResultSet((rows, ctx) -> {
                            rows.get().next();
                            rows.get().updateInt("stock", 0);
                            rows.get().updateRow();
                            return null;
                        }),
                StatementRefusedException.class);
    }

    @Test
    void scopeReadsTheTextAnewInEachExecution() {
        refusesInScope(
                handle -> {
                    Update update = handle.createUpdate("UPDATE inventory SET stock = 7 WHERE sku = <sku>");
                    assertThat(update.define("sku", "'4712'").execute()).isEqualTo(1);
                    update.define("sku", "'4711'").execute();
                },
                StaleTokenException.class);
        assertThat(inventory.stock("4712")).isEqualTo(7);
    }

    interface Dao {
        @Fenced
        @BatchChunkSize(2)
        @SqlBatch("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        void setAll(List<String> sku, int stock, FencingToken token);

        @Fenced
        @BatchChunkSize(2)
        @SqlBatch(value = "UPDATE inventory SET stock = :stock WHERE sku = :sku", transactional = false)
        int[] setEach(List<String> sku, int stock, List<FencingToken> token);

        @Fenced
        @BatchChunkSize(2)
        @SqlBatch("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        List<WriteOutcome> trySetAll(List<String> sku, int stock, List<FencingToken> token);

        @Fenced
        @SqlUpdate("<statement>")
        void any(@Define String statement, FencingToken token);
    }

    @Test
    void chunksOfBatchesAreGuarded() {
        Dao dao = inventory.jdbi.onDemand(Dao.class);
        assertThatThrownBy(() -> dao.setAll(List.of("4712", "4713", "none", "4711", "x"), 0, STALE))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining("sku=4711");
        assertThat(inventory.stock("4712"))
                .as("a chunk is a transaction of its own, as Jdbi has it")
                .isZero();
        inventory.jdbi.useHandle(handle -> handle.execute("UPDATE inventory SET last_token = 0 WHERE sku <> '4711'"));
        List<String> skus = List.of("4712", "4713", "x", "4711", "4711");
        List<FencingToken> tokens =
                IntStream.of(1, 2, 3, 10, 9).mapToObj(FencingToken::of).toList();
        assertThat(dao.trySetAll(skus, 1, tokens))
                .containsExactly(
                        new WriteOutcome.Applied(1),
                        new WriteOutcome.Applied(1),
                        new WriteOutcome.NotFound(),
                        new WriteOutcome.Applied(1),
                        new WriteOutcome.Stale(FencingToken.of(9), FencingToken.of(10)));
        assertThatThrownBy(() -> dao.setEach(skus, 2, tokens)).isInstanceOf(WriteNotAppliedException.class);
        assertThat(dao.setEach(
                        List.of("4712", "4713", "4711"),
                        3,
                        IntStream.of(11, 12, 13).mapToObj(FencingToken::of).toList()))
                .containsExactly(1, 1, 1);
        List<Long> stored =
                inventory.jdbi.withHandle(handle -> handle.createQuery("SELECT last_token FROM inventory ORDER BY sku")
                        .mapTo(Long.class)
                        .list());
        assertThat(stored).as("each row has its own token").containsExactly(13L, 11L, 12L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE inventory SET stock = 0 WHERE sku = '4711'",
                "UPDATE inventory SET place = $a$ WHERE $a$, stock = 0 WHERE sku = '4711'",
                "UPDATE inventory SET stock = 0 /* /* */ WHERE */ WHERE sku = '4711' -- OR true",
            })
    void textThatLooksLikeAnotherIsGuardedOrRefused(String sql) {
        Dao dao = inventory.jdbi.onDemand(Dao.class);
        refuses(handle -> dao.any(sql, STALE), StaleTokenException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE inventory SET place = E'x'\n'\\' WHERE true --', stock = 0 WHERE sku = '4711'",
                "UPDATE inventory SET place = E'x' -- y'\n  '\\' /*', stock = 0 WHERE sku = '4711' -- */",
            })
    void textThatTheDriverMisreadsIsNotRun(String sql) {
        Dao dao = inventory.jdbi.onDemand(Dao.class);
        refuses(handle -> dao.any(sql, STALE), UnableToExecuteStatementException.class);
        refuses(handle -> dao.any(sql, FencingToken.of(10)), UnableToExecuteStatementException.class);
    }

    @Test
    void fencedTransactionEndsWithItsFence() {
        for (HandleConsumer<RuntimeException> end :
                List.<HandleConsumer<RuntimeException>>of(Handle::commit, Handle::rollback)) {
            for (HandleConsumer<RuntimeException> then : List.<HandleConsumer<RuntimeException>>of(
                    handle -> handle.execute(SET),
                    handle -> handle.begin().execute(SET),
                    handle -> handle.createScript(SET).execute(),
                    handle -> handle.createCall(SET).invoke(),
                    handle -> {})) {
                for (FencedTransactions with : List.of(fencing, fencing.withoutFenceRow())) {
                    assertThatThrownBy(() -> with.inTransaction(TestLease.of("sku:4711", 9), handle -> {
                                end.useHandle(handle);
                                then.useHandle(handle);
                                return null;
                            }))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("can neither be committed nor rolled back inside its body");
                    assertThat(inventory.stock("4711")).isEqualTo(10);
                }
            }
        }
    }

    @Test
    void callbacksAfterTheCommitAreNoPartOfTheFence() {
        fencing.inTransaction(TestLease.of("sku:4711", 9), handle -> {
            handle.afterCommit(() -> handle.execute("UPDATE inventory SET stock = 3 WHERE sku = '4712'"));
            return null;
        });
        assertThat(inventory.stock("4712")).isEqualTo(3);
    }
}
