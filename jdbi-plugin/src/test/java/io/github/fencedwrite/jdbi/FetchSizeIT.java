package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jdbi.v3.sqlobject.customizer.FetchSize;
import org.jdbi.v3.sqlobject.customizer.MaxRows;
import org.jdbi.v3.sqlobject.statement.GetGeneratedKeys;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With a fetch size the driver reads rows through a portal, a few at a time, as long as there is a transaction. */
@Tag("contract")
class FetchSizeIT {

    private static final String ALL =
            "SELECT sku || ' ' || current_setting('lock_timeout') FROM inventory ORDER BY sku DESC";

    private final InventoryFixture inventory = new InventoryFixture();

    interface Dao {
        @Claim
        @FetchSize(1)
        @SqlQuery("SELECT stock || ' ' || current_setting('lock_timeout') FROM inventory WHERE sku = :sku")
        List<String> claim(String sku, FencingToken token);

        @Claim
        @FetchSize(1)
        @SqlQuery("SELECT sku FROM inventory WHERE place = :place")
        List<String> claimPlace(String place, FencingToken token);

        @Claim
        @MaxRows(1)
        @SqlQuery("SELECT sku FROM inventory WHERE place = :place")
        String claimOneOf(String place, FencingToken token);

        @Claim(rows = Rows.MANY)
        @FetchSize(1)
        @SqlQuery(ALL)
        List<String> claimAll(FencingToken token);

        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        int set(String sku, int stock, FencingToken token);

        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        WriteOutcome trySet(String sku, int stock, FencingToken token);

        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        @GetGeneratedKeys("stock")
        int setAndReturn(String sku, int stock, FencingToken token);

        @Fenced(rows = Rows.MANY)
        @SqlUpdate("UPDATE inventory SET stock = stock + 1")
        @GetGeneratedKeys("stock")
        List<Integer> addAllAndReturn(FencingToken token);

        @Fenced
        @SqlBatch("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        int[] setAll(List<String> sku, List<Integer> stock, FencingToken token);

        @Fenced
        @SqlBatch("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        @GetGeneratedKeys("stock")
        List<Integer> setAllAndReturn(List<String> sku, List<Integer> stock, FencingToken token);

        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = 0 WHERE place = :place")
        @GetGeneratedKeys("stock")
        List<Integer> clear(String place, FencingToken token);
    }

    private static FencingToken token(long value) {
        return FencingToken.of(value);
    }

    /** A fetch size of one for all statements, those of the plugin included. */
    private Jdbi fetchingByOne() {
        var source = inventory.database.dataSource();
        source.setDefaultRowFetchSize(1);
        return Jdbi.create(source).installPlugin(new SqlObjectPlugin()).installPlugin(new FencingPlugin());
    }

    private Jdbi jdbi(boolean everywhere) {
        return everywhere ? fetchingByOne() : inventory.jdbi;
    }

    private static String timeout(Handle handle) {
        return handle.createQuery("SHOW lock_timeout").mapTo(String.class).one();
    }

    private long storedToken(String sku) {
        return inventory.jdbi.withHandle(handle -> handle.createQuery("SELECT last_token FROM inventory WHERE sku = ?")
                .bind(0, sku)
                .mapTo(Long.class)
                .one());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void claimOpensTheTransaction(boolean everywhere) {
        FencedTransactions fencing = Fencing.of(jdbi(everywhere)).withoutFenceRow();
        fencing.inTransaction(TestLease.of("sku:4711", 5), (handle, token) -> {
            Dao dao = handle.attach(Dao.class);
            assertThat(dao.claim("4711", token)).singleElement().asString().matches("10 \\d+(ms|s)");
            assertThat(timeout(handle)).endsWith("s");
            assertThat(dao.set("4712", 7, token)).isEqualTo(1);
            return null;
        });
        assertThat(storedToken("4711")).isEqualTo(5);
        assertThat(inventory.stock("4712")).isEqualTo(7);
        assertThatThrownBy(() -> fencing.inTransaction(
                        TestLease.of("sku:4711", 4),
                        (handle, token) -> handle.attach(Dao.class).claim("4711", token)))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining("inventory(sku=4711)");
        assertThat(fencing.<List<String>, RuntimeException>inTransaction(
                        TestLease.of("sku:none", 4),
                        (handle, token) -> handle.attach(Dao.class).claim("none", token)))
                .isEmpty();
        assertThatThrownBy(() -> fencing.inTransaction(
                        TestLease.of("sku:4711", 9),
                        (handle, token) -> handle.attach(Dao.class).claimPlace("A", token)))
                .hasMessageContaining("2 rows were written by a statement for one");
        assertThat(storedToken("4711")).as("rolled back").isEqualTo(5);
    }

    @Test
    void transactionIsKnownByItsIdWhenTheAnswerOfTheCommitIsLost() {
        BreakingDataSource breaking = new BreakingDataSource(inventory.database.dataSource());
        Jdbi jdbi = Jdbi.create(breaking).installPlugin(new SqlObjectPlugin()).installPlugin(new FencingPlugin());
        breaking.loseAfterCommit();
        List<String> seen = new ArrayList<>();
        Fencing.of(jdbi)
                .withoutFenceRow()
                .inTransaction(
                        TestLease.of("sku:4711", 5),
                        (handle, token) -> seen.addAll(handle.attach(Dao.class).claim("4711", token)));
        assertThat(breaking.hasBroken()).isTrue();
        assertThat(seen).as("the body ran once").hasSize(1);
        assertThat(storedToken("4711")).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void claimOfSeveralRowsOpensTheTransaction(boolean everywhere) {
        FencedTransactions fencing = Fencing.of(jdbi(everywhere)).withoutFenceRow();
        fencing.inTransaction(TestLease.of("all", 5), (handle, token) -> {
            List<String> rows = handle.attach(Dao.class).claimAll(token);
            assertThat(rows).extracting(row -> row.substring(0, 4)).containsExactly("4713", "4712", "4711");
            assertThat(rows).allMatch(row -> row.endsWith("s"));
            return null;
        });
        assertThat(List.of(storedToken("4711"), storedToken("4712"), storedToken("4713")))
                .containsOnly(5L);
        assertThatThrownBy(() -> fencing.inTransaction(
                        TestLease.of("all", 4),
                        (handle, token) -> handle.attach(Dao.class).claimAll(token)))
                .isInstanceOf(StaleTokenException.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void writesOpenTheTransaction(boolean everywhere) {
        FencedTransactions fencing = Fencing.of(jdbi(everywhere)).withoutFenceRow();
        fencing.inTransaction(TestLease.of("sku:4711", 5), (handle, token) -> {
            Dao dao = handle.attach(Dao.class);
            assertThat(dao.trySet("4711", 1, token)).isEqualTo(new WriteOutcome.Applied(1));
            assertThat(dao.trySet("4711", 2, token)).isEqualTo(new WriteOutcome.AlreadyWritten(token));
            assertThat(timeout(handle)).endsWith("s");
            return null;
        });
        assertThat(fencing.<WriteOutcome, RuntimeException>inTransaction(
                        TestLease.of("sku:4711", 4),
                        (handle, token) -> handle.attach(Dao.class).trySet("4711", 1, token)))
                .isEqualTo(new WriteOutcome.Stale(token(4), token(5)));
        fencing.inTransaction(TestLease.of("sku:4711", 6), (handle, token) -> {
            assertThat(handle.attach(Dao.class).setAll(List.of("4711", "4712"), List.of(8, 9), token))
                    .containsExactly(1, 1);
            return null;
        });
        assertThat(inventory.stock("4712")).isEqualTo(9);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void generatedKeysAreCounted(boolean everywhere) {
        FencedTransactions fencing = Fencing.of(jdbi(everywhere)).withoutFenceRow();
        fencing.inTransaction(TestLease.of("sku:4711", 5), (handle, token) -> {
            assertThat(handle.attach(Dao.class).setAndReturn("4711", 3, token)).isEqualTo(3);
            return null;
        });
        assertThatThrownBy(() -> fencing.inTransaction(
                        TestLease.of("sku:4711", 4),
                        (handle, token) -> handle.attach(Dao.class).setAndReturn("4711", 4, token)))
                .isInstanceOf(StaleTokenException.class);
        fencing.inTransaction(TestLease.of("all", 6), (handle, token) -> {
            assertThat(handle.attach(Dao.class).addAllAndReturn(token)).containsExactlyInAnyOrder(4, 21, 31);
            return null;
        });
        fencing.inTransaction(TestLease.of("all", 7), (handle, token) -> {
            assertThat(handle.attach(Dao.class).setAllAndReturn(List.of("4711", "4712"), List.of(1, 2), token))
                    .containsExactly(1, 2);
            return null;
        });
        assertThatThrownBy(() -> fencing.inTransaction(
                        TestLease.of("all", 8),
                        (handle, token) -> handle.attach(Dao.class).clear("A", token)))
                .hasMessageContaining("2 rows were written by a statement for one");
        assertThat(inventory.stock("4712")).as("rolled back").isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void claimWorksInAutocommit(boolean everywhere) {
        Dao dao = jdbi(everywhere).onDemand(Dao.class);
        assertThat(dao.claim("4711", token(5))).containsExactly("10 0");
        assertThatThrownBy(() -> dao.claim("4711", token(4))).isInstanceOf(StaleTokenException.class);
        assertThat(dao.claim("none", token(4))).isEmpty();
        assertThat(dao.setAndReturn("4711", 3, token(6))).isEqualTo(3);
        assertThat(storedToken("4711")).isEqualTo(6);
    }

    @Test
    void limitThatWouldHideWrittenRowsIsRefused() {
        assertThatThrownBy(() -> inventory.jdbi.onDemand(Dao.class).claimOneOf("A", token(5)))
                .isInstanceOf(StatementRefusedException.class)
                .hasMessageContaining("setMaxRows");
        assertThat(List.of(storedToken("4711"), storedToken("4712"))).containsOnly(0L);
    }

    @Test
    void fluentClaimTakesTheFetchSizeToo() {
        Fencing.of(inventory.jdbi).withoutFenceRow().inTransaction(TestLease.of("all", 5), (handle, token) -> {
            assertThat(Fencing.claim(handle.createQuery(ALL).setFetchSize(2), token)
                            .rows(Rows.MANY)
                            .query()
                            .mapTo(String.class)
                            .list())
                    .hasSize(3);
            return null;
        });
        assertThat(storedToken("4713")).isEqualTo(5);
    }

    @Test
    void claimOfSeveralRowsLocksAllOfThemInTheirOrder() throws Exception {
        FencedTransactions fencing = Fencing.of(fetchingByOne()).withoutFenceRow();
        Thread claiming = new Thread(() -> fencing.inTransaction(
                TestLease.of("all", 5),
                (handle, token) -> handle.attach(Dao.class).claimAll(token)));
        inventory.jdbi.useTransaction(handle -> {
            handle.execute("SELECT 1 FROM inventory WHERE sku = '4711' FOR UPDATE");
            claiming.start();
            Awaitility.await().until(() -> !waiting().isEmpty());
            assertThat(waiting()).singleElement().asString().contains("FOR NO KEY UPDATE");
        });
        claiming.join();
        assertThat(storedToken("4711")).isEqualTo(5);
    }

    /** The statements that wait for a lock in this database, as a session sees them that waits for none itself. */
    private List<String> waiting() {
        return Jdbi.create(inventory.database.dataSource())
                .withHandle(handle -> handle.createQuery("SELECT query FROM pg_stat_activity"
                                + " WHERE wait_event_type = 'Lock' AND datname = current_database()")
                        .mapTo(String.class)
                        .list());
    }
}
