package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import java.util.Arrays;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.sqlobject.statement.BatchChunkSize;
import org.jdbi.v3.sqlobject.statement.GetGeneratedKeys;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Batches that Jdbi cuts into chunks of two rows, each in a transaction of its own. */
@Tag("jdbi")
class BatchChunksIT {

    private static final String SET = "UPDATE inventory SET stock = :stock WHERE sku = :sku";
    private static final List<String> SKUS = List.of("a", "b", "c", "d", "e");
    private static final List<Integer> STOCKS = List.of(1, 2, 3, 4, 5);

    private final InventoryFixture inventory = new InventoryFixture();
    private final Dao dao = inventory.jdbi.onDemand(Dao.class);

    interface Dao {
        @Fenced
        @SqlBatch(SET)
        @BatchChunkSize(2)
        int[] setEach(List<String> sku, List<Integer> stock, List<FencingToken> token);

        @Fenced
        @SqlBatch(SET)
        @BatchChunkSize(2)
        int[] setAll(List<String> sku, List<Integer> stock, FencingToken token);

        @Fenced
        @SqlBatch(SET)
        @BatchChunkSize(2)
        void setEachByLease(List<String> sku, List<Integer> stock, List<Lease> lease);

        @Fenced
        @SqlBatch(SET)
        @BatchChunkSize(2)
        @GetGeneratedKeys("sku")
        List<String> setEachAndReturn(List<String> sku, List<Integer> stock, List<FencingToken> token);

        @Fenced
        @SqlBatch(SET)
        @BatchChunkSize(2)
        List<WriteOutcome> trySetEach(List<String> sku, List<Integer> stock, List<FencingToken> token);

        @Fenced
        @SqlBatch(SET)
        List<WriteOutcome> trySetAll(
                @BatchChunkSize int size, List<String> sku, List<Integer> stock, FencingToken token);
    }

    @BatchChunkSize(2)
    interface InChunks {
        @Fenced
        @SqlBatch(SET)
        List<WriteOutcome> trySetAll(List<String> sku, List<Integer> stock, FencingToken token);
    }

    public record Written(String sku, int stock, long token) {}

    @BeforeEach
    void rows() {
        inventory.jdbi.useHandle(handle -> {
            handle.execute("TRUNCATE inventory");
            handle.execute(
                    "INSERT INTO inventory (sku, stock) SELECT sku, 0 FROM unnest(?::text[]) AS s (sku)",
                    "{a,b,c,d,e}");
        });
    }

    private static FencingToken token(long value) {
        return FencingToken.of(value);
    }

    private static List<FencingToken> tokens(long... values) {
        return Arrays.stream(values).mapToObj(FencingToken::of).toList();
    }

    private void writeWithToken(String sku, long value) {
        inventory.jdbi.useHandle(
                handle -> handle.execute("UPDATE inventory SET stock = 99, last_token = ? WHERE sku = ?", value, sku));
    }

    private List<Written> written() {
        return inventory.jdbi.withHandle(handle -> handle.createQuery(
                        "SELECT sku, stock, last_token FROM inventory WHERE stock > 0 ORDER BY sku")
                .map((row, ctx) -> new Written(row.getString(1), row.getInt(2), row.getLong(3)))
                .list());
    }

    /** How many transactions wrote the rows as they are now. */
    private int transactions() {
        return inventory.jdbi.withHandle(
                handle -> handle.createQuery("SELECT count(DISTINCT xmin::text) FROM inventory WHERE stock > 0")
                        .mapTo(Integer.class)
                        .one());
    }

    @Test
    void eachRowIsWrittenUnderItsOwnToken() {
        List<Written> expected = List.of(
                new Written("a", 1, 15),
                new Written("b", 2, 14),
                new Written("c", 3, 13),
                new Written("d", 4, 12),
                new Written("e", 5, 11));
        assertThat(dao.setEach(SKUS, STOCKS, tokens(15, 14, 13, 12, 11))).containsExactly(1, 1, 1, 1, 1);
        assertThat(written()).isEqualTo(expected);
        assertThat(transactions()).isEqualTo(3);

        rows();
        assertThat(dao.trySetEach(SKUS, STOCKS, tokens(15, 14, 13, 12, 11)))
                .hasSize(5)
                .allMatch(WriteOutcome::isApplied);
        assertThat(written()).isEqualTo(expected);
        assertThat(transactions()).isEqualTo(3);

        rows();
        assertThat(dao.setEachAndReturn(SKUS, STOCKS, tokens(15, 14, 13, 12, 11)))
                .isEqualTo(SKUS);
        assertThat(written()).isEqualTo(expected);
    }

    @Test
    void oneTokenServesAllChunks() {
        dao.setAll(SKUS, STOCKS, token(7));
        assertThat(written()).extracting(Written::token).containsOnly(7L).hasSize(5);
        assertThat(transactions()).isEqualTo(3);
        assertThat(dao.trySetAll(3, SKUS, STOCKS, token(8))).allMatch(WriteOutcome::isApplied);
        assertThat(written()).extracting(Written::token).containsOnly(8L).hasSize(5);
        assertThat(transactions()).isEqualTo(2);
        assertThat(inventory.jdbi.onDemand(InChunks.class).trySetAll(SKUS, STOCKS, token(9)))
                .allMatch(WriteOutcome::isApplied);
        assertThat(transactions()).isEqualTo(3);
        assertThatThrownBy(() -> dao.trySetAll(0, SKUS, STOCKS, token(10)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("chunk");
        assertThat(written()).extracting(Written::token).containsOnly(9L);
    }

    @Test
    void countsAndOutcomesStayInOrderAcrossChunks() {
        List<String> skus = List.of("a", "none", "c", "nobody", "e");
        assertThat(dao.setEach(skus, STOCKS, tokens(1, 2, 3, 4, 5))).containsExactly(1, 0, 1, 0, 1);
        writeWithToken("c", 20);
        assertThat(dao.trySetEach(List.of("a", "none", "c", "d", "e"), STOCKS, tokens(2, 3, 4, 5, 5)))
                .containsExactly(
                        new WriteOutcome.Applied(1),
                        new WriteOutcome.NotFound(),
                        new WriteOutcome.Stale(token(4), token(20)),
                        new WriteOutcome.Applied(1),
                        new WriteOutcome.AlreadyWritten(token(5)));
        assertThat(written())
                .containsExactly(
                        new Written("a", 1, 2),
                        new Written("c", 99, 20),
                        new Written("d", 4, 5),
                        new Written("e", 5, 5));
    }

    @Test
    void staleRowOfTheSecondChunkIsTold() {
        writeWithToken("d", 20);
        assertThatThrownBy(() -> dao.setEach(SKUS, STOCKS, tokens(15, 14, 13, 12, 11)))
                .isInstanceOfSatisfying(StaleTokenException.class, stale -> {
                    assertThat(stale.presented()).isEqualTo(token(12));
                    assertThat(stale.stored()).hasValue(20);
                })
                .hasMessageContaining("inventory(sku=d)");
        assertThat(written())
                .as("the chunk before stays written, the refused one is rolled back, the one behind is not run")
                .containsExactly(new Written("a", 1, 15), new Written("b", 2, 14), new Written("d", 99, 20));
    }

    @Test
    void transactionAroundTheChunksIsRolledBackAsAWhole() {
        writeWithToken("d", 20);
        assertThatThrownBy(() -> inventory.jdbi.useTransaction(
                        handle -> handle.attach(Dao.class).setAll(SKUS, STOCKS, token(15))))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining("inventory(sku=d)");
        assertThat(written()).containsExactly(new Written("d", 99, 20));
        inventory.jdbi.useTransaction((Handle handle) -> assertThat(
                        handle.attach(Dao.class).trySetEach(SKUS, STOCKS, tokens(15, 14, 13, 12, 11)))
                .extracting(WriteOutcome::isApplied)
                .containsExactly(true, true, true, false, true));
        assertThat(written()).hasSize(5);
    }

    @Test
    void refusedRowIsToldWithItsOwnLease() {
        writeWithToken("c", 20);
        List<Lease> leases =
                SKUS.stream().<Lease>map(sku -> TestLease.of("sku:" + sku, 10)).toList();
        assertThatThrownBy(() -> dao.setEachByLease(SKUS, STOCKS, leases))
                .isInstanceOfSatisfying(
                        StaleTokenException.class,
                        stale -> assertThat(stale.target().lease()).isSameAs(leases.get(2)))
                .hasMessageContaining("another holder of \"sku:c\"");
    }
}
