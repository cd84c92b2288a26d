package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.jdbi.internal.ownership.FencingTransactionHandler;
import io.github.fencedwrite.jdbi.internal.sqlobject.SqlObjectSupport;
import io.github.fencedwrite.jdbi.internal.statement.ExceptionTranslator;
import io.github.fencedwrite.jdbi.internal.statement.FencedCustomizer;
import io.github.fencedwrite.jdbi.internal.statement.FencingConfig;
import io.github.fencedwrite.jdbi.internal.statement.FencingStatementBuilder;
import io.github.fencedwrite.jdbi.internal.statement.JdbiVersion;
import io.github.fencedwrite.jdbi.internal.statement.TokenArguments;
import io.github.fencedwrite.jdbi.internal.transaction.LockSource;
import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.spi.JdbiPlugin;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jspecify.annotations.Nullable;

/**
 * Makes {@link Fenced}, {@link Claim} and the methods of {@link Fencing} work, and {@link FencingToken} an argument and a
 * column.
 *
 * <p>Install it explicitly; it is in no service file, since it changes what statements mean:
 *
 * <pre>
 * Jdbi jdbi = Jdbi.create(dataSource).installPlugin(new FencingPlugin());
 * </pre>
 *
 * <p>Where {@code jdbi3-sqlobject} is on the class path it installs {@code SqlObjectPlugin}, too, so the order of the two plays no
 * part. Installed several times, the options add up.
 *
 * <p>A column that is read as {@code FencingToken} gives null for 0, the token of a row that was never written under a lease.
 */
public final class FencingPlugin implements JdbiPlugin {

    private final boolean announcing;
    private final List<WeakReference<Jdbi>> installedOn = new CopyOnWriteArrayList<>();
    private final @Nullable WriteListener listener;
    private final @Nullable LeaseSource locks;

    /** The plugin with its usual options. */
    public FencingPlugin() {
        this(false, null, null);
    }

    private FencingPlugin(boolean announcing, @Nullable WriteListener listener, @Nullable LeaseSource locks) {
        this.announcing = announcing;
        this.listener = listener;
        this.locks = locks;
    }

    /**
     * The plugin with announcing: each guarded statement also tells the strict triggers of {@code fencing.enforce} its token.
     * Needed on strictly enforced tables only.
     */
    public static FencingPlugin announcing() {
        return new FencingPlugin(true, null, null);
    }

    /** The same with a listener that hears of each outcome. */
    public FencingPlugin listener(WriteListener heard) {
        return new FencingPlugin(announcing, heard, locks);
    }

    /** The same with a source of leases for methods with {@link FencedTransaction}: {@code locks::acquire}. */
    public FencingPlugin locks(LeaseSource source) {
        return new FencingPlugin(announcing, listener, source);
    }

    /**
     * Called by Jdbi.
     *
     * @throws IllegalStateException if Jdbi is older than 3.53
     */
    @Override
    public void customizeJdbi(Jdbi jdbi) {
        JdbiVersion.require();
        installedOn.add(new WeakReference<>(jdbi));
        FencingTransactionHandler.install(jdbi, FencingStatementBuilder::new);
        if (locks != null) {
            jdbi.getConfig(LockSource.class).set(locks);
        }
        if (!jdbi.getConfig(FencingConfig.class).install(announcing, listener)) {
            return;
        }
        jdbi.getConfig(SqlStatements.class)
                .addExceptionHandler(new ExceptionTranslator())
                .addCustomizer(new FencedCustomizer());
        jdbi.registerArgument(new TokenArguments());
        jdbi.registerColumnMapper(FencingToken.class, (result, column, ctx) -> {
            long value = result.getLong(column);
            return value == 0 ? null : FencingToken.of(value);
        });
        if (hasSqlObjects()) {
            SqlObjectSupport.install(jdbi);
        }
    }

    /** Asked here, since the class with the support cannot even be loaded without them. */
    private static boolean hasSqlObjects() {
        try {
            Class.forName("org.jdbi.v3.sqlobject.SqlObjects", false, FencingPlugin.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Called before a handle is made of the connection: a handler that was set on Jdbi meanwhile is covered as well. */
    @Override
    public Connection customizeConnection(Connection connection) {
        for (WeakReference<Jdbi> reference : installedOn) {
            Jdbi jdbi = reference.get();
            if (jdbi != null) {
                FencingTransactionHandler.install(jdbi, FencingStatementBuilder::new);
            }
        }
        return connection;
    }
}
