package io.github.fencedwrite.jdbi.internal.ownership;

import io.github.fencedwrite.jdbi.internal.postgres.DriverConnection;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of Spring's transaction managers, asked by reflection, so that Spring is no dependency. Spring binds the
 * connection of a transaction to the thread; a data source that knows Spring hands that one out, with autocommit off and nothing
 * else to be seen on it.
 */
public final class SpringTransactions {

    private static final String MANAGER = "org.springframework.transaction.support.TransactionSynchronizationManager";
    private static final String HOLDER = "org.springframework.jdbc.datasource.ConnectionHolder";

    private static final @Nullable SpringTransactions SPRING = find();

    private final Class<?> holder;
    private final Method resources;
    private final Method isTransactionActive;
    private final Method isThreadInTransaction;
    private final Method isSynchronized;
    private final Method connection;

    private SpringTransactions(Class<?> manager, Class<?> holder) throws ReflectiveOperationException {
        this.holder = holder;
        this.resources = manager.getMethod("getResourceMap");
        this.isThreadInTransaction = manager.getMethod("isActualTransactionActive");
        this.isSynchronized = holder.getMethod("isSynchronizedWithTransaction");
        this.connection = holder.getMethod("getConnection");
        this.isTransactionActive = holder.getDeclaredMethod("isTransactionActive");
        isTransactionActive.setAccessible(true);
    }

    /** Whether {@code candidate} is in a transaction that Spring has begun on this thread and is going to end. */
    public static boolean include(Connection candidate) {
        return SPRING != null && SPRING.has(candidate);
    }

    private boolean has(Connection candidate) {
        try {
            if (!(boolean) isThreadInTransaction.invoke(null)) {
                return false;
            }
            for (Object resource : ((Map<?, ?>) resources.invoke(null)).values()) {
                if (holder.isInstance(resource)
                        && isOwned(resource)
                        && DriverConnection.isSame((Connection) connection.invoke(resource), candidate)) {
                    return true;
                }
            }
            return false;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Spring's transactions cannot be asked any more", e);
        }
    }

    /**
     * Whether the connection is that of the transaction itself. One that was merely taken during the transaction of another
     * data source is bound to the thread, too, and closed at the end without a commit; it is marked as synchronized only.
     */
    private boolean isOwned(Object resource) throws ReflectiveOperationException {
        return (boolean) isTransactionActive.invoke(resource) || !(boolean) isSynchronized.invoke(resource);
    }

    private static @Nullable SpringTransactions find() {
        SpringTransactions found = find(SpringTransactions.class.getClassLoader());
        return found != null ? found : find(Thread.currentThread().getContextClassLoader());
    }

    private static @Nullable SpringTransactions find(@Nullable ClassLoader loader) {
        try {
            return new SpringTransactions(Class.forName(MANAGER, false, loader), Class.forName(HOLDER, false, loader));
        } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            return null; // no Spring, or one without JDBC
        }
    }
}
