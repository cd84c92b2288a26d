package io.github.fencedwrite.jdbi;

import java.io.PrintWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * Loses connections at a chosen moment: it ends the backend before the n-th execution or before a commit, or swallows the
 * answer of a commit that was carried out, or lets the whole server crash. Each moment comes once.
 */
final class BreakingDataSource implements DataSource {

    private final DataSource real;
    private int executionsUntilLoss = -1;
    private int executions;
    private boolean loseBeforeCommit;
    private boolean loseAfterCommit;
    private Runnable crash;
    private Runnable afterLoss = () -> {};
    private volatile AtomicInteger refused;

    BreakingDataSource(DataSource real) {
        this.real = real;
    }

    /** Ends the backend before the {@code n}-th execution from now, counted from 1. */
    void loseAtExecution(int n) {
        executionsUntilLoss = n;
    }

    void loseBeforeCommit() {
        loseBeforeCommit = true;
    }

    void loseAfterCommit() {
        loseAfterCommit(() -> {});
    }

    /** Loses the answer of the next commit, and then runs {@code then}. */
    void loseAfterCommit(Runnable then) {
        loseAfterCommit = true;
        afterLoss = then;
    }

    /** Before the next commit, runs {@code crash}, which ends the server. */
    void crashBeforeCommit(Runnable crash) {
        this.crash = crash;
    }

    /** Refuses new connections and counts those that are asked for, until {@link #accept()}. */
    void refuse(AtomicInteger counter) {
        refused = counter;
    }

    void accept() {
        refused = null;
    }

    /** How many statements were executed so far. */
    int executions() {
        return executions;
    }

    /** Whether the chosen moment has come. */
    boolean hasBroken() {
        return executionsUntilLoss <= 0 && !loseBeforeCommit && !loseAfterCommit;
    }

    @Override
    public Connection getConnection() throws SQLException {
        AtomicInteger counter = refused;
        if (counter != null) {
            counter.incrementAndGet();
            throw new SQLException("Connection refused", "08001");
        }
        Connection connection = real.getConnection();
        return proxy(Connection.class, (proxy, method, args) -> {
            if (method.getName().equals("commit") && loseBeforeCommit) {
                loseBeforeCommit = false;
                terminate(connection);
            }
            if (method.getName().equals("commit") && crash != null) {
                Runnable now = crash;
                crash = null;
                now.run();
            }
            Object result = call(connection, method, args);
            if (method.getName().equals("commit") && loseAfterCommit) {
                loseAfterCommit = false;
                terminate(connection);
                afterLoss.run();
                throw new SQLException("An I/O error occurred while sending to the backend.", "08006");
            }
            return result instanceof PreparedStatement statement
                    ? statement(statement, connection, (Connection) proxy)
                    : result;
        });
    }

    private PreparedStatement statement(PreparedStatement statement, Connection connection, Connection breaking) {
        return proxy(PreparedStatement.class, (proxy, method, args) -> {
            if (method.getName().equals("getConnection")) {
                return breaking;
            }
            if (method.getName().startsWith("execute")) {
                executions++;
            }
            if (method.getName().startsWith("execute") && executionsUntilLoss > 0 && --executionsUntilLoss == 0) {
                terminate(connection);
            }
            return call(statement, method, args);
        });
    }

    /** Ends the backend of a connection, which notices that at its next use. */
    void terminate(Connection victim) {
        try {
            end(victim.unwrap(org.postgresql.PGConnection.class).getBackendPID());
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private void end(int pid) throws SQLException {
        try (Connection other = real.getConnection();
                var end = other.prepareStatement("SELECT pg_terminate_backend(?, 5000)")) {
            end.setInt(1, pid);
            end.execute();
        }
    }

    private static Object call(Object target, java.lang.reflect.Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }

    @Override
    public <T> T unwrap(Class<T> iface) throws SQLException {
        return real.unwrap(iface);
    }

    @Override
    public boolean isWrapperFor(Class<?> iface) throws SQLException {
        return real.isWrapperFor(iface);
    }
}
