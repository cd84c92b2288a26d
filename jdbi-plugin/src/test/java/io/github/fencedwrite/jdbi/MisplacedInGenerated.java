package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencingToken;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.extension.ExtensionMetadata;
import org.jdbi.v3.core.extension.HandleSupplier;
import org.jdbi.v3.sqlobject.GenerateSqlObject;
import org.jdbi.v3.sqlobject.GeneratedSqlObjectProvider;
import org.jdbi.v3.sqlobject.SqlObject;
import org.jdbi.v3.sqlobject.customizer.Bind;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** SQL Objects with annotations in wrong places, without implementations, for which Jdbi asks last. */
final class MisplacedInGenerated {

    private static final String SET = "UPDATE inventory SET stock = :stock WHERE sku = :sku";

    private MisplacedInGenerated() {}

    @GenerateSqlObject
    interface OnDefault {
        @SqlUpdate(SET)
        void set(String sku, int stock);

        @Fenced
        default void twice(String sku, FencingToken token) {
            set(sku, 1);
        }
    }

    @GenerateSqlObject
    interface Unguarded {
        @SqlUpdate(SET)
        void set(String sku, int stock, FencingToken token);
    }

    @GenerateSqlObject
    interface NoToken {
        @Fenced
        @SqlUpdate(SET)
        void set(String sku, int stock, long token);
    }

    @GenerateSqlObject
    interface ClaimOnUpdate {
        @Claim
        @SqlUpdate(SET)
        void set(String sku, int stock, FencingToken token);
    }

    @GenerateSqlObject
    interface Outcome {
        @Fenced
        @SqlUpdate(SET)
        WriteOutcome set(String sku, int stock, FencingToken token);
    }

    @GenerateSqlObject
    interface Outcomes {
        @Fenced
        @SqlBatch(SET)
        List<WriteOutcome> set(List<String> sku, int stock, FencingToken token);
    }

    abstract static class Guarding {
        @Fenced
        @SqlUpdate(SET)
        abstract void set(String sku, int stock, FencingToken token);
    }

    @GenerateSqlObject
    abstract static class Forgetful extends Guarding {
        @Override
        @SqlUpdate(SET)
        abstract void set(String sku, int stock, @Bind("t") FencingToken token);
    }

    /** Nothing is wrong here: a method with a body calls what it likes. */
    @GenerateSqlObject
    abstract static class Delegating extends Guarding {
        @Fenced
        @SqlUpdate(SET)
        abstract void setGuarded(String sku, int stock, FencingToken token);

        @Override
        void set(String sku, int stock, FencingToken token) {
            setGuarded(sku, stock, token);
        }
    }

    /** Lists the methods that an implementation would have. */
    abstract static class Provider implements GeneratedSqlObjectProvider {

        private final Class<?> type;

        Provider(Class<?> type) {
            this.type = type;
        }

        @Override
        public Class<?> extensionType() {
            return type;
        }

        @Override
        public Collection<Method> extensionMethods() {
            return Stream.concat(
                            Arrays.stream(type.getDeclaredMethods()).filter(method -> !method.isSynthetic()),
                            Arrays.stream(SqlObject.class.getMethods())
                                    .filter(method ->
                                            List.of("getHandle", "withHandle").contains(method.getName())))
                    .toList();
        }

        @Override
        public Object createInstance(ExtensionMetadata metadata, HandleSupplier handles, ConfigRegistry config) {
            return "not refused";
        }

        @Override
        public Object createOnDemand(Jdbi jdbi) {
            throw new UnsupportedOperationException("only attached");
        }
    }

    public static final class OnDefaultProvider extends Provider {
        public OnDefaultProvider() {
            super(OnDefault.class);
        }
    }

    public static final class UnguardedProvider extends Provider {
        public UnguardedProvider() {
            super(Unguarded.class);
        }
    }

    public static final class NoTokenProvider extends Provider {
        public NoTokenProvider() {
            super(NoToken.class);
        }
    }

    public static final class ClaimOnUpdateProvider extends Provider {
        public ClaimOnUpdateProvider() {
            super(ClaimOnUpdate.class);
        }
    }

    public static final class OutcomeProvider extends Provider {
        public OutcomeProvider() {
            super(Outcome.class);
        }
    }

    public static final class OutcomesProvider extends Provider {
        public OutcomesProvider() {
            super(Outcomes.class);
        }
    }

    public static final class DelegatingProvider extends Provider {
        public DelegatingProvider() {
            super(Delegating.class);
        }
    }

    public static final class ForgetfulProvider extends Provider {
        public ForgetfulProvider() {
            super(Forgetful.class);
        }
    }
}
