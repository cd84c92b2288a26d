package io.github.fencedwrite.migrations.internal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.jspecify.annotations.Nullable;

/**
 * Flyway's callback as a proxy. Flyway 12 moved the methods of {@link Callback} to a generic interface with other
 * signatures: a class compiled against either fails on the other with an AbstractMethodError. Their names are the same.
 */
public final class InstallCallback implements InvocationHandler {

    private static final String NAME = "fencing";

    private InstallCallback() {}

    /** A new callback. */
    public static Callback create() {
        return (Callback) Proxy.newProxyInstance(
                InstallCallback.class.getClassLoader(), new Class<?>[] {Callback.class}, new InstallCallback());
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        @Nullable Object[] given = arguments == null ? new Object[0] : arguments;
        switch (method.getName()) {
            case "supports":
                return given[0] == Event.BEFORE_MIGRATE;
            case "canHandleInTransaction":
                return false; // in one of our own, whose isolation level does not depend on the defaults
            case "getCallbackName", "toString":
                return NAME;
            case "handle":
                if (given[1] instanceof Context context) {
                    install(context.getConnection());
                }
                return null;
            case "equals":
                return proxy == given[0];
            case "hashCode":
                return System.identityHashCode(proxy);
            default:
                if (method.isDefault()) {
                    return InvocationHandler.invokeDefault(proxy, method, arguments);
                }
                throw new UnsupportedOperationException("This version of Flyway asks a callback for " + method.getName()
                        + ", which fenced-write does not know. Call FencingMigrations.on(dataSource).install() before"
                        + " Flyway instead.");
        }
    }

    private static void install(Connection connection) {
        try {
            if (connection.getAutoCommit()) {
                OwnTransaction.run(connection, Installer::install);
            } else {
                Installer.install(connection); // Flyway commits
            }
        } catch (SQLException e) {
            throw Installer.explained(e);
        }
    }
}
