package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObject;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jdbi.v3.sqlobject.customizer.Bind;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.customizer.Define;
import org.jdbi.v3.sqlobject.statement.GetGeneratedKeys;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jdbi.v3.sqlobject.transaction.Transaction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The kinds of SQL Object methods, attached in the ways there are. */
@Tag("jdbi")
@Tag("contract")
class SqlObjectIT {

    private static final String SET = "UPDATE inventory SET stock = :stock WHERE sku = :sku";
    private static final String UPSERT = "INSERT INTO inventory (sku, stock) VALUES (:sku, :stock)"
            + " ON CONFLICT (sku) DO UPDATE SET stock = EXCLUDED.stock";

    private final InventoryFixture inventory = new InventoryFixture();

    public record Row(String sku, int stock) {}

    interface Parent<T> {
        @Fenced
        @SqlUpdate(SET)
        WriteOutcome set(@BindMethods T row, FencingToken token);

        @Transaction
        default void both(T one, T other, FencingToken token) {
            if (!set(one, token).isApplied() || !set(other, token).isApplied()) {
                throw new IllegalStateException("not both");
            }
        }
    }

    interface Dao extends Parent<Row>, SqlObject {
        @Fenced
        @SqlUpdate(SET)
        boolean setByLease(String sku, int stock, Lease lease);

        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = ? WHERE sku = ?")
        long setByPosition(int stock, String sku, FencingToken token);

        @Fenced
        @SqlUpdate("UPDATE inventory SET <what> WHERE sku = :sku AND :token > 0")
        void define(@Define String what, @Bind("sku") String key, FencingToken token);

        @Fenced(retry = true)
        @SqlUpdate(SET)
        void setRepeatedly(String sku, int stock, FencingToken token);

        @Fenced
        @SqlUpdate("INSERT INTO inventory (sku, stock) VALUES (:sku, :stock)")
        void insert(String sku, int stock, FencingToken token);

        @Fenced
        @SqlUpdate(UPSERT)
        WriteOutcome put(String sku, int stock, FencingToken token);

        @Fenced
        @SqlUpdate("DELETE FROM inventory WHERE sku = :sku")
        WriteOutcome delete(String sku, FencingToken token);

        @Fenced
        @SqlUpdate(SET)
        @GetGeneratedKeys("stock")
        int setAndReturn(String sku, int stock, FencingToken token);

        @Fenced
        @SqlQuery("DELETE FROM inventory WHERE place = :place RETURNING sku")
        List<String> clear(String place, FencingToken token);

        @Fenced(rows = Rows.MANY)
        @SqlQuery("DELETE FROM inventory WHERE place = :place RETURNING sku")
        List<String> clearAll(String place, FencingToken token);

        @Fenced(rows = Rows.MANY)
        @SqlUpdate("UPDATE inventory SET stock = stock + 1 WHERE place = :place")
        WriteOutcome addAll(String place, FencingToken token);

        @Fenced
        @SqlBatch(SET)
        int[] setAll(@BindMethods List<Row> rows, FencingToken token);

        @Fenced
        @SqlBatch(SET)
        List<WriteOutcome> tryAll(List<String> sku, List<Integer> stock, List<FencingToken> token);

        @Fenced
        @SqlBatch(UPSERT)
        List<WriteOutcome> putAll(@BindMethods List<Row> rows, FencingToken token);

        @Fenced
        @SqlBatch(SET)
        @GetGeneratedKeys("sku")
        List<String> setAllAndReturn(@BindMethods List<Row> rows, FencingToken token);

        @Fenced
        @SqlBatch("INSERT INTO inventory (sku, stock) VALUES (:sku, :stock)")
        void insertAll(@BindMethods List<Row> rows, FencingToken token);

        @Claim(rows = Rows.MANY)
        @SqlQuery("SELECT sku FROM inventory WHERE stock > :above ORDER BY sku DESC")
        List<String> claimAll(int above, FencingToken token);
    }

    @AfterEach
    void drop() {
        inventory.close();
    }

    private static FencingToken token(long value) {
        return FencingToken.of(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"onDemand", "attach", "withExtension"})
    void guardsHoweverItIsAttached(String way) {
        Jdbi jdbi = inventory.jdbi;
        Row row = new Row("4711", 5);
        WriteOutcome applied;
        WriteOutcome stale;
        if (way.equals("onDemand")) {
            Dao dao = jdbi.onDemand(Dao.class);
            applied = dao.set(row, token(8));
            stale = dao.set(row, token(7));
        } else if (way.equals("attach")) {
            applied = jdbi.withHandle(handle -> handle.attach(Dao.class).set(row, token(8)));
            stale = jdbi.withHandle(handle -> handle.attach(Dao.class).set(row, token(7)));
        } else {
            applied = jdbi.<WriteOutcome, Dao, RuntimeException>withExtension(Dao.class, dao -> dao.set(row, token(8)));
            stale = jdbi.<WriteOutcome, Dao, RuntimeException>withExtension(Dao.class, dao -> dao.set(row, token(7)));
        }
        assertThat(applied).isEqualTo(new WriteOutcome.Applied(1));
        assertThat(stale).isEqualTo(new WriteOutcome.Stale(token(7), token(8)));
    }

    @Test
    void tellsEachOutcome() {
        Dao dao = inventory.jdbi.onDemand(Dao.class);
        assertThat(dao.set(new Row("4711", 5), token(8))).isEqualTo(new WriteOutcome.Applied(1));
        assertThat(dao.set(new Row("4711", 6), token(8))).isEqualTo(new WriteOutcome.AlreadyWritten(token(8)));
        assertThat(dao.set(new Row("4711", 6), token(7))).isEqualTo(new WriteOutcome.Stale(token(7), token(8)));
        assertThat(dao.set(new Row("none", 6), token(7))).isEqualTo(new WriteOutcome.NotFound());
        dao.setRepeatedly("4712", 1, token(8));
        dao.setRepeatedly("4712", 1, token(8));
        assertThatThrownBy(() -> dao.setByLease("4711", 1, TestLease.of("sku:4711", 7)))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining("another holder of \"sku:4711\" has written since")
                .hasMessageContaining("The lease still looks valid for")
                .hasMessageContaining("(ttl 10 s)")
                .hasMessageContaining("Acquire again");
        assertThat(dao.setByLease("4711", 1, TestLease.of("sku:4711", 9))).isTrue();
        assertThat(dao.setByPosition(3, "4711", token(10))).isEqualTo(1);
        dao.define("stock = 4", "4711", token(11));
        assertThat(inventory.stock("4711")).isEqualTo(4);
    }

    @Test
    void insertsUpsertsAndDeletes() {
        Dao dao = inventory.jdbi.onDemand(Dao.class);
        dao.insert("new", 1, token(5));
        assertThat(dao.put("new", 2, token(4))).isEqualTo(new WriteOutcome.Stale(token(4), token(5)));
        assertThat(dao.put("new", 2, token(5))).isEqualTo(new WriteOutcome.AlreadyWritten(token(5)));
        assertThat(dao.put("new", 2, token(6))).isEqualTo(new WriteOutcome.Applied(1));
        assertThat(dao.put("newer", 2, token(6))).isEqualTo(new WriteOutcome.Applied(1));
        assertThat(inventory.stock("new")).isEqualTo(2);
        assertThat(dao.delete("new", token(3))).isEqualTo(new WriteOutcome.Stale(token(3), token(6)));
        assertThat(dao.delete("new", token(7))).isEqualTo(new WriteOutcome.Applied(1));
        assertThat(dao.delete("new", token(7))).isEqualTo(new WriteOutcome.NotFound());
    }

    @Test
    void countsReturnedRowsAndGeneratedKeys() {
        Dao dao = inventory.jdbi.onDemand(Dao.class);
        assertThat(dao.setAndReturn("4711", 5, token(8))).isEqualTo(5);
        assertThatThrownBy(() -> dao.setAndReturn("4711", 6, token(7))).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> inventory.jdbi.inTransaction(
                        handle -> handle.attach(Dao.class).clear("A", token(9))))
                .isInstanceOf(TooManyRowsException.class)
                .hasMessageContaining("2 rows were written by a statement for one");
        assertThat(inventory.stock("4711")).isEqualTo(5);
        assertThat(dao.clear("B", token(9))).containsExactly("4713");
    }

    @Test
    void severalRowsNeedTransactionAndAllOfThem() {
        Dao dao = inventory.jdbi.onDemand(Dao.class);
        assertThatThrownBy(() -> dao.addAll("A", token(9)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("needs a transaction");
        dao.set(new Row("4711", 5), token(8));
        assertThatThrownBy(() -> inventory.jdbi.inTransaction(
                        handle -> handle.attach(Dao.class).clearAll("A", token(7))))
                .isInstanceOf(PartialWriteException.class)
                .hasMessageContaining("wrote 1 row(s), but 1 row(s) carry a newer token");
        assertThat(inventory.stock("4712")).as("rolled back").isEqualTo(20);
        assertThat(inventory.jdbi.<WriteOutcome, RuntimeException>inTransaction(
                        handle -> handle.attach(Dao.class).addAll("A", token(9))))
                .isEqualTo(new WriteOutcome.Applied(2));
        assertThatThrownBy(() -> inventory.jdbi.inTransaction(
                        handle -> handle.attach(Dao.class).claimAll(0, token(8))))
                .isInstanceOf(PartialWriteException.class);
        assertThat(inventory.jdbi.<List<String>, RuntimeException>inTransaction(
                        handle -> handle.attach(Dao.class).claimAll(0, token(10))))
                .containsExactly("4713", "4712", "4711");
    }

    @Test
    void batchesTellOfEachRow() {
        Dao dao = inventory.jdbi.onDemand(Dao.class);
        dao.set(new Row("4712", 5), token(8));
        List<Row> rows = List.of(new Row("4711", 1), new Row("4712", 2), new Row("none", 3));
        assertThatThrownBy(() -> dao.setAll(rows, token(7)))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining("inventory(sku=4712)");
        assertThat(inventory.stock("4711")).as("rolled back").isEqualTo(10);
        assertThat(dao.setAll(rows, token(9))).containsExactly(1, 1, 0);
        assertThat(dao.tryAll(
                        List.of("4711", "4712", "4713"), List.of(1, 2, 3), List.of(token(10), token(8), token(9))))
                .containsExactly(
                        new WriteOutcome.Applied(1),
                        new WriteOutcome.Stale(token(8), token(9)),
                        new WriteOutcome.Applied(1));
        assertThat(dao.putAll(List.of(new Row("4711", 1), new Row("x", 2)), token(10)))
                .containsExactly(new WriteOutcome.AlreadyWritten(token(10)), new WriteOutcome.Applied(1));
        assertThat(dao.setAllAndReturn(List.of(new Row("4711", 1), new Row("x", 2)), token(11)))
                .containsExactly("4711", "x");
        assertThatThrownBy(() -> dao.setAllAndReturn(List.of(new Row("4711", 1), new Row("x", 2)), token(10)))
                .isInstanceOf(StaleTokenException.class);
    }

    @Test
    void defaultMethodsAndTransactionsWork() {
        Dao dao = inventory.jdbi.onDemand(Dao.class);
        dao.set(new Row("4712", 5), token(8));
        assertThatThrownBy(() -> dao.both(new Row("4711", 1), new Row("4712", 1), token(7)))
                .hasMessage("not both");
        assertThat(inventory.stock("4711")).as("rolled back").isEqualTo(10);
        dao.both(new Row("4711", 1), new Row("4712", 1), token(9));
        assertThat(inventory.stock("4711")).isEqualTo(1);
    }

    @Test
    void refusesBatchesWhoseRowsTheDriverCannotTellApart() {
        var joining = inventory.database.dataSource();
        joining.setReWriteBatchedInserts(true);
        Jdbi jdbi = Jdbi.create(joining).installPlugin(new SqlObjectPlugin()).installPlugin(new FencingPlugin());
        Dao dao = jdbi.onDemand(Dao.class);
        List<Row> rows = List.of(new Row("4711", 1), new Row("4712", 2), new Row("4713", 3), new Row("new", 4));
        assertThatThrownBy(() -> dao.putAll(rows, token(9)))
                .isInstanceOf(StatementRefusedException.class)
                .hasMessageContaining("reWriteBatchedInserts");
        assertThat(inventory.stock("4711")).isEqualTo(10);
        inventory.jdbi.onDemand(Dao.class).put("4712", 2, token(10));
        assertThat(inventory.jdbi.onDemand(Dao.class).putAll(rows, token(9)))
                .containsExactly(
                        new WriteOutcome.Applied(1),
                        new WriteOutcome.Stale(token(9), token(10)),
                        new WriteOutcome.Applied(1),
                        new WriteOutcome.Applied(1));
        dao.insertAll(List.of(new Row("a", 1), new Row("b", 2)), token(9));
        assertThat(inventory.stock("b")).isEqualTo(2);
    }

    /** A pool may hide the driver and its settings; then the counts themselves give it away. */
    @Test
    void refusesCountsThatSayNothing() {
        var joining = inventory.database.dataSource();
        joining.setReWriteBatchedInserts(true);
        Dao dao = Jdbi.create(() -> hidingTheDriver(Connection.class, joining.getConnection(), null))
                .installPlugin(new SqlObjectPlugin())
                .installPlugin(new FencingPlugin())
                .onDemand(Dao.class);
        List<Row> rows = List.of(new Row("4711", 1), new Row("4712", 2), new Row("4713", 3), new Row("new", 4));
        assertThatThrownBy(() -> dao.putAll(rows, token(9)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("The driver answered -2")
                .hasMessageContaining("reWriteBatchedInserts");
        assertThat(inventory.stock("4711")).as("rolled back").isEqualTo(10);
    }

    /** A connection or a statement of it; {@code owner} is the hiding connection of a statement. */
    private static <T> T hidingTheDriver(Class<T> type, T real, Connection owner) {
        return type.cast(Proxy.newProxyInstance(
                SqlObjectIT.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
                    if (method.getName().equals("unwrap")) {
                        throw new SQLException("not for you");
                    }
                    if (method.getName().equals("getConnection")) {
                        return owner;
                    }
                    try {
                        Object result = method.invoke(real, args);
                        return result instanceof PreparedStatement statement
                                ? hidingTheDriver(PreparedStatement.class, statement, (Connection) proxy)
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
