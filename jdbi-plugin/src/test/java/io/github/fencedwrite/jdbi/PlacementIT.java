package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.extension.HandleSupplier;
import org.jdbi.v3.core.statement.DefaultStatementBuilder;
import org.jdbi.v3.core.statement.HashPrefixSqlParser;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.sqlobject.Handler;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jdbi.v3.sqlobject.SqlOperation;
import org.jdbi.v3.sqlobject.config.UseSqlParser;
import org.jdbi.v3.sqlobject.customizer.Bind;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.jdbi.v3.sqlobject.statement.SqlCall;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlScript;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Annotations in wrong places and setups in which nothing would be guarded: told before anything is written. */
class PlacementIT {

    private static final String SET = "UPDATE inventory SET stock = :stock WHERE sku = :sku";

    private final InventoryFixture inventory = new InventoryFixture();

    private static FencingToken token(long value) {
        return FencingToken.of(value);
    }

    interface OnDefault {
        @SqlUpdate(SET)
        void set(String sku, int stock);

        @Fenced
        default void twice(String sku, FencingToken token) {
            set(sku, 1);
        }
    }

    interface OnScript {
        @Fenced
        @SqlScript(SET)
        void set(String sku, int stock, FencingToken token);
    }

    interface ClaimOnUpdate {
        @Claim
        @SqlUpdate(SET)
        void set(String sku, int stock, FencingToken token);
    }

    interface NoToken {
        @Fenced
        @SqlUpdate(SET)
        void set(String sku, int stock, long token);
    }

    interface TwoTokens {
        @Fenced
        @SqlUpdate(SET)
        void set(String sku, int stock, FencingToken token, FencingToken other);
    }

    interface BoundToken {
        @Fenced
        @SqlUpdate(SET)
        void set(String sku, int stock, @Bind("t") FencingToken token);
    }

    interface BatchWithOneOutcome {
        @Fenced
        @SqlBatch(SET)
        WriteOutcome set(@BindMethods List<TestLease> rows, FencingToken token);
    }

    interface OnCall {
        @Fenced
        @SqlCall("{call clear(:sku)}")
        void set(String sku, FencingToken token);
    }

    interface OnOwnOperation {
        @Fenced
        @OwnOperation
        void set(String sku, FencingToken token);
    }

    @Retention(RetentionPolicy.RUNTIME)
    @SqlOperation(OwnOperation.Own.class)
    @interface OwnOperation {
        class Own implements Handler {
            @Override
            public Object invoke(Object target, Object[] args, HandleSupplier handles) {
                return handles.getHandle().execute(SET);
            }
        }
    }

    interface Guarding {
        @Fenced
        @SqlUpdate(SET)
        void set(String sku, int stock, FencingToken token);
    }

    interface Forgetful extends Guarding {
        @Override
        @SqlUpdate(SET)
        void set(String sku, int stock, FencingToken token);
    }

    interface GuardingAny<T> {
        @Claim
        @SqlQuery("SELECT stock FROM inventory WHERE sku = :sku")
        int set(T sku, FencingToken token);
    }

    interface ForgetfulOfClaim extends GuardingAny<String> {
        @Override
        @SqlQuery("SELECT stock FROM inventory WHERE sku = :sku")
        int set(String sku, FencingToken token);
    }

    interface Unguarded {
        @SqlUpdate(SET)
        void set(String sku, int stock, FencingToken token);
    }

    interface UnguardedBatch {
        @SqlBatch(SET)
        void set(List<String> sku, int stock, List<Lease> token);
    }

    interface UnguardedScript {
        @SqlScript(SET)
        void set(FencingToken token);
    }

    interface Both {
        @Fenced
        @Claim
        @SqlQuery("SELECT 1 FROM inventory")
        int set(FencingToken token);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                OnDefault.class,
                OnScript.class,
                ClaimOnUpdate.class,
                NoToken.class,
                TwoTokens.class,
                BoundToken.class,
                BatchWithOneOutcome.class,
                OnCall.class,
                OnOwnOperation.class,
                Forgetful.class,
                Unguarded.class,
                UnguardedBatch.class,
                UnguardedScript.class,
                ForgetfulOfClaim.class,
                Both.class
            })
    void refusesWrongPlacementsWhenAttached(Class<?> type) {
        assertThatThrownBy(() -> inventory.jdbi.useHandle(handle -> handle.attach(type)))
                .hasMessageContaining(type.getSimpleName() + ".")
                .hasMessageFindingMatch("@Fenced|@Claim|WriteOutcome|token parameter");
    }

    interface Explicit {
        @SqlUpdate("UPDATE inventory SET stock = 1, last_token = :t WHERE sku = '4711' AND last_token < :t")
        int set(@Bind("t") FencingToken token);
    }

    @Test
    void tokenMayBeBoundByHand() {
        Explicit dao = inventory.jdbi.onDemand(Explicit.class);
        assertThat(dao.set(token(5))).isEqualTo(1);
        assertThat(dao.set(token(4))).isZero();
    }

    interface Outcome {
        @Fenced
        @SqlUpdate(SET)
        WriteOutcome set(String sku, int stock, FencingToken token);
    }

    @Test
    void refusesToRunWithoutThePlugin() {
        Jdbi bare = Jdbi.create(inventory.database.dataSource()).installPlugin(new SqlObjectPlugin());
        assertThatThrownBy(() -> bare.onDemand(NoOutcome.class).set("4711", 1, token(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("FencingPlugin is not installed");
        assertThatThrownBy(() -> bare.useHandle(handle -> handle.attach(Outcome.class)))
                .hasMessageContaining("jdbi.installPlugin(new FencingPlugin())");
        Jdbi otherOrder = Jdbi.create(inventory.database.dataSource())
                .installPlugin(new FencingPlugin())
                .installPlugin(new SqlObjectPlugin());
        otherOrder.onDemand(NoOutcome.class).set("4711", 1, token(1));
        assertThat(otherOrder.onDemand(Outcome.class).set("4711", 2, token(1)))
                .isEqualTo(new WriteOutcome.AlreadyWritten(token(1)));
        assertThat(inventory.stock("4711")).isEqualTo(1);
    }

    interface NoOutcome {
        @Fenced
        @SqlUpdate(SET)
        void set(String sku, int stock, FencingToken token);
    }

    interface OtherParser {
        @Fenced
        @UseSqlParser(HashPrefixSqlParser.class)
        @SqlUpdate("UPDATE inventory SET stock = #stock WHERE sku = #sku")
        void set(String sku, int stock, FencingToken token);
    }

    @Test
    void guardsUnderAnyParserWheneverItIsSet() {
        OtherParser dao = inventory.jdbi.onDemand(OtherParser.class);
        dao.set("4711", 1, token(5));
        assertThatThrownBy(() -> dao.set("4711", 2, token(4)))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining("inventory(sku=4711)");
        inventory.jdbi.useHandle(handle -> {
            var query = Fencing.claim(
                            handle.createQuery("SELECT stock FROM inventory WHERE sku = #s")
                                    .bind("s", "4711"),
                            token(4))
                    .query();
            query.getConfig(SqlStatements.class).setSqlParser(new HashPrefixSqlParser());
            assertThatThrownBy(() -> query.mapTo(Integer.class).one()).isInstanceOf(StaleTokenException.class);
        });
        assertThat(inventory.stock("4711")).isEqualTo(1);
    }

    @Test
    void refusesToRunBehindAnotherStatementBuilder() {
        inventory.jdbi.useHandle(handle -> {
            handle.setStatementBuilder(new DefaultStatementBuilder());
            assertThatThrownBy(() -> handle.attach(NoOutcome.class).set("4711", 1, token(1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("setStatementBuilderFactory");
        });
        assertThat(inventory.stock("4711")).isEqualTo(10);
    }
}
