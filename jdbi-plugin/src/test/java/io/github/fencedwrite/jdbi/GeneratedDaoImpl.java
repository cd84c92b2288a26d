package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencingToken;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.extension.ExtensionMetadata;
import org.jdbi.v3.core.extension.ExtensionMetadata.ExtensionHandlerInvoker;
import org.jdbi.v3.core.extension.HandleSupplier;
import org.jdbi.v3.core.internal.JdbiClassUtils;
import org.jdbi.v3.sqlobject.GeneratedSqlObjectProvider;
import org.jdbi.v3.sqlobject.SqlObject;

/**
 * Has the shape that Jdbi's annotation processor gives to implementations: a method and an invoker for each method of the type
 * itself, a class for {@code onDemand}, and a provider that is named in {@code META-INF/services}. Written by hand, so that the
 * build does without the processor.
 */
public class GeneratedDaoImpl implements GeneratedDao, SqlObject {

    private static final Method SET =
            JdbiClassUtils.methodLookup(GeneratedDao.class, "set", String.class, int.class, FencingToken.class);
    private static final Method SET_ALL =
            JdbiClassUtils.methodLookup(GeneratedDao.class, "setAll", List.class, List.class, List.class);
    private static final Method CLAIM =
            JdbiClassUtils.methodLookup(GeneratedDao.class, "claim", String.class, FencingToken.class);
    private static final Method TAKE =
            JdbiClassUtils.methodLookup(GeneratedDao.class, "take", String.class, int.class, FencingToken.class);
    private static final Method SELL =
            JdbiClassUtils.methodLookup(GeneratedDao.class, "sell", String.class, int.class, FencingToken.class);
    private static final Method GET_HANDLE = JdbiClassUtils.methodLookup(SqlObject.class, "getHandle");
    private static final Method WITH_HANDLE =
            JdbiClassUtils.methodLookup(SqlObject.class, "withHandle", HandleCallback.class);

    private final ExtensionHandlerInvoker set;
    private final ExtensionHandlerInvoker setAll;
    private final ExtensionHandlerInvoker claim;
    private final ExtensionHandlerInvoker take;
    private final ExtensionHandlerInvoker sell;
    private final ExtensionHandlerInvoker getHandle;
    private final ExtensionHandlerInvoker withHandle;

    public GeneratedDaoImpl(ExtensionMetadata metadata, HandleSupplier handles, ConfigRegistry config) {
        set = metadata.createExtensionHandlerInvoker(this, SET, handles, config);
        setAll = metadata.createExtensionHandlerInvoker(this, SET_ALL, handles, config);
        claim = metadata.createExtensionHandlerInvoker(this, CLAIM, handles, config);
        take = metadata.createExtensionHandlerInvoker(this, TAKE, handles, config);
        sell = metadata.createExtensionHandlerInvoker(this, SELL, handles, config);
        getHandle = metadata.createExtensionHandlerInvoker(this, GET_HANDLE, handles, config);
        withHandle = metadata.createExtensionHandlerInvoker(this, WITH_HANDLE, handles, config);
    }

    @Override
    public int set(String sku, int stock, FencingToken token) {
        return (int) set.invoke(sku, stock, token);
    }

    @Override
    public int[] setAll(List<String> sku, List<Integer> stock, List<FencingToken> token) {
        return (int[]) setAll.invoke(sku, stock, token);
    }

    @Override
    public int claim(String sku, FencingToken token) {
        return (int) claim.invoke(sku, token);
    }

    @Override
    public void take(String sku, int quantity, FencingToken token) {
        take.invoke(sku, quantity, token);
    }

    @Override
    public int sell(String sku, int quantity, FencingToken token) {
        return (int) sell.call(() -> GeneratedDao.super.sell(sku, quantity, token));
    }

    @Override
    public Handle getHandle() {
        return (Handle) getHandle.invoke();
    }

    @Override
    @SuppressWarnings("unchecked")
    public <R, X extends Exception> R withHandle(HandleCallback<R, X> callback) throws X {
        return (R) withHandle.invoke(callback);
    }

    public static class OnDemand implements GeneratedDao, SqlObject {

        private final Jdbi jdbi;

        public OnDemand(Jdbi jdbi) {
            this.jdbi = jdbi;
        }

        @Override
        public int set(String sku, int stock, FencingToken token) {
            return (int) jdbi.withExtension(GeneratedDao.class, e -> ((GeneratedDaoImpl) e).set(sku, stock, token));
        }

        @Override
        public int[] setAll(List<String> sku, List<Integer> stock, List<FencingToken> token) {
            return (int[])
                    jdbi.withExtension(GeneratedDao.class, e -> ((GeneratedDaoImpl) e).setAll(sku, stock, token));
        }

        @Override
        public int claim(String sku, FencingToken token) {
            return (int) jdbi.withExtension(GeneratedDao.class, e -> ((GeneratedDaoImpl) e).claim(sku, token));
        }

        @Override
        public void take(String sku, int quantity, FencingToken token) {
            jdbi.useExtension(GeneratedDao.class, e -> ((GeneratedDaoImpl) e).take(sku, quantity, token));
        }

        @Override
        public int sell(String sku, int quantity, FencingToken token) {
            return (int) jdbi.withExtension(GeneratedDao.class, e -> ((GeneratedDaoImpl) e).sell(sku, quantity, token));
        }

        @Override
        public Handle getHandle() {
            return (Handle) jdbi.withExtension(GeneratedDao.class, e -> ((GeneratedDaoImpl) e).getHandle());
        }

        @Override
        public <R, X extends Exception> R withHandle(HandleCallback<R, X> callback) throws X {
            return jdbi.withExtension(GeneratedDao.class, e -> ((GeneratedDaoImpl) e).withHandle(callback));
        }
    }

    public static final class Provider implements GeneratedSqlObjectProvider {

        @Override
        public Class<?> extensionType() {
            return GeneratedDao.class;
        }

        @Override
        public Collection<Method> extensionMethods() {
            return List.of(SET, SET_ALL, CLAIM, TAKE, SELL, GET_HANDLE, WITH_HANDLE);
        }

        @Override
        public Object createInstance(ExtensionMetadata metadata, HandleSupplier handles, ConfigRegistry config) {
            return new GeneratedDaoImpl(metadata, handles, config);
        }

        @Override
        public Object createOnDemand(Jdbi jdbi) {
            return new OnDemand(jdbi);
        }
    }
}
