package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jdbi.v3.sqlobject.config.RegisterConstructorMapper;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("contract")
class FencedUpdateIT {

    private final InventoryFixture inventory = new InventoryFixture();
    private final Dao dao = inventory.jdbi.onDemand(Dao.class);

    record Item(String sku, int stock, FencingToken lastToken) {}

    @RegisterConstructorMapper(Item.class)
    interface Dao {
        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        void setStock(String sku, int stock, FencingToken token);

        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = stock - 1 WHERE sku = :sku OR sku = :other")
        int sellEither(String sku, String other, FencingToken token);

        @Fenced(mode = FenceMode.CLAIMED)
        @SqlUpdate("UPDATE inventory AS i SET stock = i.stock - :quantity WHERE i.sku = :sku")
        void take(String sku, int quantity, FencingToken token);

        @Claim
        @SqlQuery("SELECT sku, stock, last_token FROM inventory WHERE sku = :sku")
        Item claim(String sku, FencingToken token);

        @Claim
        @SqlQuery("SELECT * FROM inventory AS i WHERE i.sku = :sku")
        Optional<Item> claimMaybe(String sku, FencingToken token);

        @Fenced
        @SqlQuery("UPDATE \"inventory\" SET stock = :stock WHERE \"sku\" = :sku RETURNING *")
        Item replace(String sku, int stock, FencingToken token);

        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = 0")
        void clear(FencingToken token);

        @Fenced
        @SqlBatch("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        void setAll(List<String> sku, List<Integer> stock, FencingToken token);

        @Fenced
        @SqlUpdate("UPDATE nowhere SET a = 1")
        void nowhere(FencingToken token);

        @Fenced
        @SqlUpdate("UPDATE bare SET a = 1")
        void bare(FencingToken token);
    }

    @AfterEach
    void drop() {
        inventory.close();
    }

    private static FencingToken token(long value) {
        return FencingToken.of(value);
    }

    @Test
    void writesWithNewerTokenAndRefusesOlderOne() {
        dao.setStock("4711", 5, token(34));
        assertThatThrownBy(() -> dao.setStock("4711", 9, token(33)))
                .isInstanceOfSatisfying(StaleTokenException.class, stale -> {
                    assertThat(stale.presented()).isEqualTo(token(33));
                    assertThat(stale.stored()).isEqualTo(OptionalLong.of(34));
                    assertThat(stale.target().table()).isEqualTo("inventory");
                    assertThat(stale.target().key()).isEqualTo("sku=4711");
                })
                .hasMessageContaining("inventory(sku=4711) was not written: token 33 is older than 34");
        assertThat(inventory.stock("4711")).isEqualTo(5);
    }

    @Test
    void tellsSecondWriteOfOneTokenFromStaleOne() {
        dao.setStock("4711", 5, token(34));
        assertThatThrownBy(() -> dao.setStock("4711", 6, token(34)))
                .isInstanceOf(AlreadyWrittenException.class)
                .hasMessageContaining("CLAIMED");
        assertThat(inventory.stock("4711")).isEqualTo(5);
    }

    @Test
    void writesNothingWhereThereIsNoRow() {
        dao.setStock("none", 5, token(34));
    }

    @Test
    void guardsBothSidesOfOr() {
        assertThat(dao.sellEither("4711", "none", token(5))).isEqualTo(1);
        assertThatThrownBy(() -> dao.sellEither("none", "4711", token(4))).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> dao.sellEither("4711", "none", token(4))).isInstanceOf(StaleTokenException.class);
        assertThat(inventory.stock("4711")).isEqualTo(9);
    }

    @Test
    void refusesMoreRowsThanOne() {
        assertThatThrownBy(() -> dao.clear(token(5)))
                .isInstanceOf(TooManyRowsException.class)
                .hasMessageContaining("rows = MANY");
    }

    @Test
    void losesSaleWhenBothReadBeforeEitherWrites() {
        int seenByA = inventory.stock("4711");
        int seenByB = inventory.stock("4711");
        dao.setStock("4711", seenByA - 1, token(33));
        dao.setStock("4711", seenByB - 1, token(34));
        assertThat(inventory.stock("4711")).as("two sales, one is lost").isEqualTo(9);
    }

    @Test
    void losesNoSaleWhenReadingIsAClaim() {
        assertThat(dao.claim("4711", token(33)).stock()).isEqualTo(10);
        Item seenByB = dao.claim("4711", token(34));
        assertThatThrownBy(() -> dao.take("4711", 1, token(33))).isInstanceOf(StaleTokenException.class);
        dao.take("4711", 1, token(34));
        assertThat(seenByB.stock()).isEqualTo(10);
        assertThat(seenByB.lastToken()).isEqualTo(token(34));
        assertThat(inventory.stock("4711")).as("one sale, the other was told").isEqualTo(9);
    }

    @Test
    void claimsAgainAndWritesRepeatedly() {
        dao.claim("4711", token(34));
        dao.claim("4711", token(34));
        dao.take("4711", 1, token(34));
        dao.take("4711", 1, token(34));
        assertThat(inventory.stock("4711")).isEqualTo(8);
        assertThatThrownBy(() -> dao.claim("4711", token(33))).isInstanceOf(StaleTokenException.class);
        assertThat(dao.claimMaybe("none", token(33))).isEmpty();
        assertThat(dao.claim("none", token(33))).isNull();
    }

    @Test
    void refusesWriteOfUnclaimedRow() {
        assertThatThrownBy(() -> dao.take("4711", 1, token(34)))
                .isInstanceOf(NotClaimedException.class)
                .hasMessageContaining("Claim it first");
    }

    @Test
    void countsRowsOfReturning() {
        assertThat(dao.replace("4711", 3, token(7)).stock()).isEqualTo(3);
        assertThatThrownBy(() -> dao.replace("4711", 4, token(6))).isInstanceOf(StaleTokenException.class);
        assertThat(dao.replace("none", 4, token(6))).isNull();
    }

    @Test
    void voidBatchTellsOfTheStaleRow() {
        dao.setStock("4712", 1, token(9));
        assertThatThrownBy(() -> dao.setAll(List.of("4711", "4712", "4713"), List.of(1, 2, 3), token(8)))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining("sku=4712");
        assertThat(inventory.stock("4711")).as("rolled back").isEqualTo(10);
        dao.setAll(List.of("4711", "4712", "4713"), List.of(1, 2, 3), token(10));
        assertThat(inventory.stock("4713")).isEqualTo(3);
    }

    @Test
    void saysWhatToDoAboutMissingOrUnprotectedTables() {
        inventory.jdbi.useHandle(handle -> handle.execute("CREATE TABLE bare (a int)"));
        assertThatThrownBy(() -> dao.nowhere(token(1)))
                .isInstanceOf(TableNotReadyException.class)
                .hasMessageContaining("There is no table nowhere");
        assertThatThrownBy(() -> dao.bare(token(1)))
                .isInstanceOf(TableNotReadyException.class)
                .hasMessageContaining("fencing.protect('bare')");
    }

    @Test
    void refusesNullAndZeroTokens() {
        assertThatThrownBy(() -> dao.setStock("4711", 1, null))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("lease.token()");
        assertThatThrownBy(() -> FencingToken.of(0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(inventory.stock("4711")).isEqualTo(10);
    }

    @Test
    void worksFluently() {
        inventory.jdbi.useHandle(handle -> {
            Item item = Fencing.claim(
                            handle.createQuery("SELECT * FROM inventory WHERE sku = :sku")
                                    .bind("sku", "4711"),
                            token(3))
                    .query()
                    .map(ConstructorMapper.of(Item.class))
                    .one();
            assertThat(item.stock()).isEqualTo(10);
            String sql = "UPDATE inventory SET stock = 1 WHERE sku = ?";
            assertThat(Fencing.fence(handle.createUpdate(sql).bind(0, "4711"), token(3))
                            .mode(FenceMode.CLAIMED)
                            .execute())
                    .isEqualTo(new WriteOutcome.Applied(1));
            assertThat(Fencing.fence(handle.createUpdate(sql).bind(0, "4711"), token(2))
                            .execute())
                    .isEqualTo(new WriteOutcome.Stale(token(2), token(3)));
        });
    }
}
