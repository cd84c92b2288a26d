package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import java.util.List;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.junit.jupiter.api.Test;

/** Jdbi binds parameters by name or by position, and refuses statements that have both; so must the guard. */
class MixedParametersIT {

    private static final String MIXED = "UPDATE inventory SET stock = :stock WHERE sku = ?";

    private final InventoryFixture inventory = new InventoryFixture();

    interface Dao {
        @Fenced
        @SqlUpdate(MIXED)
        void set(int stock, String sku, FencingToken token);

        /** By position each parameter would get the value of the other. */
        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = :stock, place = 'Z' WHERE stock = ?")
        WriteOutcome replace(int before, int stock, FencingToken token);

        @Fenced
        @SqlBatch(MIXED)
        void setAll(List<Integer> stock, List<String> sku, FencingToken token);

        @Claim
        @SqlQuery("SELECT stock FROM inventory WHERE sku = ? AND stock > :above")
        List<Integer> claim(String sku, int above, FencingToken token);

        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = ? WHERE sku = ? AND :token > 0")
        void setByToken(int stock, String sku, FencingToken token);

        @SqlUpdate(MIXED)
        void plain(int stock, String sku);
    }

    private static FencingToken token(long value) {
        return FencingToken.of(value);
    }

    private void refuses(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, int offset) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StatementRefusedException.class,
                        refusal -> assertThat(refusal.offset()).isEqualTo(offset))
                .hasMessageContaining("named and positional parameters")
                .hasMessageContaining("?? for the operator");
    }

    @Test
    void areRefusedInEachKindOfStatement() {
        Dao dao = inventory.jdbi.onDemand(Dao.class);
        refuses(() -> dao.set(1, "4711", token(5)), MIXED.indexOf('?'));
        refuses(() -> dao.setAll(List.of(1), List.of("4711"), token(5)), MIXED.indexOf('?'));
        refuses(() -> dao.replace(10, 7, token(5)), 63);
        refuses(() -> dao.claim("4711", 1, token(5)), 54);
        refuses(() -> dao.setByToken(1, "4711", token(5)), 49);
        inventory.jdbi.useHandle(handle -> refuses(
                () -> Fencing.fence(
                                handle.createUpdate(MIXED)
                                        .bind("stock", 1)
                                        .bind(0, 1)
                                        .bind(1, "4711"),
                                token(5))
                        .execute(),
                MIXED.indexOf('?')));
        assertThat(inventory.stock("4711")).isEqualTo(10);
    }

    @Test
    void areRefusedByJdbiWhereNothingIsGuarded() {
        Dao dao = inventory.jdbi.onDemand(Dao.class);
        assertThatThrownBy(() -> dao.plain(1, "4711"))
                .isInstanceOf(UnableToExecuteStatementException.class)
                .hasMessageContaining("Cannot mix named and positional parameters");
        Fencing.guarding(inventory.jdbi, token(5))
                .table("inventory", FenceMode.FIRST)
                .use(handle -> assertThatThrownBy(() -> dao.plain(1, "4711"))
                        .hasMessageContaining("Cannot mix named and positional parameters"));
        assertThat(inventory.stock("4711")).isEqualTo(10);
    }
}
