package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.jdbi.internal.sql.ParameterStyle;
import org.jdbi.v3.core.config.JdbiConfig;
import org.jdbi.v3.core.statement.ColonPrefixSqlParser;
import org.jdbi.v3.core.statement.SqlParser;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jspecify.annotations.Nullable;

/** What the plugin keeps in Jdbi's configuration: its options, and for a single statement its {@link FencedCall}. */
public final class FencingConfig implements JdbiConfig<FencingConfig> {

    private boolean installed;
    private boolean announcing;
    private RewriteCache cache = new RewriteCache();
    private @Nullable FencedCall call;

    /** For Jdbi, which makes configuration by reflection. */
    public FencingConfig() {}

    /** Called by the plugin. */
    public void install(boolean announce) {
        installed = true;
        announcing = announce;
    }

    public @Nullable FencedCall call() {
        return call;
    }

    /**
     * Makes {@code statement} a guarded one.
     *
     * @throws IllegalStateException if the plugin is not installed
     */
    public static void fence(SqlStatement<?> statement, FencedCall call) {
        FencingConfig config = statement.getConfig(FencingConfig.class);
        if (!config.installed) {
            throw new IllegalStateException(
                    "FencingPlugin is not installed, so nothing would guard this statement. Call "
                            + "jdbi.installPlugin(new FencingPlugin()) before handles are opened.");
        }
        config.call = call;
        SqlStatements statements = statement.getConfig(SqlStatements.class);
        statements.setSqlParser(config.wrap(statements.getSqlParser()));
    }

    private SqlParser wrap(SqlParser parser) {
        return parser instanceof ColonPrefixSqlParser ? new FencingSqlParser(parser) : parser;
    }

    /** For a statement that a guarding scope has caught. */
    void attach(@Nullable FencedCall scoped) {
        call = scoped;
    }

    RewriteCache.Entry rewrite(String sql, ParameterStyle dialect, FencedCall of) {
        return cache.get(sql, dialect, of.fence().withAnnouncing(announcing));
    }

    @Override
    public FencingConfig createCopy() {
        FencingConfig copy = new FencingConfig();
        copy.installed = installed;
        copy.announcing = announcing;
        copy.cache = cache;
        copy.call = call;
        return copy;
    }
}
