package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.jdbi.FencedTarget;
import io.github.fencedwrite.jdbi.WriteListener;
import io.github.fencedwrite.jdbi.WriteOutcome;
import io.github.fencedwrite.jdbi.internal.sql.ParameterStyle;
import org.jdbi.v3.core.config.JdbiConfig;
import org.jdbi.v3.core.statement.ColonPrefixSqlParser;
import org.jdbi.v3.core.statement.SqlParser;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jspecify.annotations.Nullable;

/** What the plugin keeps in Jdbi's configuration: its options, and for a single statement its {@link FencedCall}. */
public final class FencingConfig implements JdbiConfig<FencingConfig> {

    private final Installation installation;
    private @Nullable FencedCall call;

    /** What all copies share; Jdbi copies its configuration for each handle and for each statement. */
    private static final class Installation {

        private volatile boolean installed;
        private volatile boolean announcing;
        private final WriteListeners listeners = new WriteListeners();
        private final RewriteCache cache = new RewriteCache();
    }

    /** For Jdbi, which makes configuration by reflection. */
    public FencingConfig() {
        this(new Installation());
    }

    private FencingConfig(Installation installation) {
        this.installation = installation;
    }

    /**
     * Called by the plugin, once for each time that it is installed with other options.
     *
     * @return whether it was the first time
     */
    public boolean install(boolean announce, @Nullable WriteListener listener) {
        boolean first = !installation.installed;
        installation.installed = true;
        installation.announcing |= announce;
        installation.listeners.add(listener);
        return first;
    }

    /** The call of a guarded statement; null for any other. */
    public @Nullable FencedCall call() {
        return call;
    }

    /** Tells the listeners of an outcome that was found out by other means than a statement's own. */
    public void tell(FencedTarget target, WriteOutcome outcome) {
        installation.listeners.finished(target, outcome);
    }

    /**
     * Makes {@code statement} a guarded one.
     *
     * @throws IllegalStateException if the plugin is not installed
     */
    public static void fence(SqlStatement<?> statement, FencedCall call) {
        FencingConfig config = statement.getConfig(FencingConfig.class);
        if (!config.installation.installed) {
            throw new IllegalStateException(
                    "FencingPlugin is not installed, so nothing would guard this statement. Call "
                            + "jdbi.installPlugin(new FencingPlugin()) before handles are opened.");
        }
        config.attach(call);
        SqlStatements statements = statement.getConfig(SqlStatements.class);
        statements.setSqlParser(config.wrap(statements.getSqlParser()));
    }

    private SqlParser wrap(SqlParser parser) {
        return parser instanceof ColonPrefixSqlParser ? new FencingSqlParser(parser) : parser;
    }

    /** For a statement that a guarding scope has caught. */
    void attach(@Nullable FencedCall attached) {
        call = attached;
        if (attached != null) {
            attached.report(installation.listeners);
        }
    }

    RewriteCache.Entry rewrite(String sql, ParameterStyle style, FencedCall of) {
        return installation.cache.get(sql, style, of.fence().withAnnouncing(installation.announcing));
    }

    @Override
    public FencingConfig createCopy() {
        FencingConfig copy = new FencingConfig(installation);
        copy.call = call;
        return copy;
    }
}
