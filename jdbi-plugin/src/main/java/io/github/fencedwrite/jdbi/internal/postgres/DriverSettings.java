package io.github.fencedwrite.jdbi.internal.postgres;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;

/** What can be learned of pgjdbc without depending on it. */
public final class DriverSettings {

    private DriverSettings() {}

    /** Whether batches of INSERT are joined into one statement, whose rows the driver then cannot tell apart. */
    public static boolean joinsBatchedInserts(Connection connection) {
        try {
            Connection driver = connection.unwrap(Connection.class);
            Class<?> base = Class.forName(
                    "org.postgresql.core.BaseConnection",
                    false,
                    driver.getClass().getClassLoader());
            Object real = connection.unwrap(base);
            Object executor = base.getMethod("getQueryExecutor").invoke(real);
            Method asked =
                    base.getMethod("getQueryExecutor").getReturnType().getMethod("isReWriteBatchedInsertsEnabled");
            return (boolean) asked.invoke(executor);
        } catch (ReflectiveOperationException | SQLException | LinkageError e) {
            return false; // another driver or version: counts that say nothing are refused after the fact
        }
    }
}
