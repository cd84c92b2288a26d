package io.github.fencedwrite.jdbi.internal;

import org.jdbi.v3.core.statement.ColonPrefixSqlParser;
import org.jdbi.v3.core.statement.ParsedSql;
import org.jdbi.v3.core.statement.SqlParser;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * Rewrites the statements that are to be guarded and leaves all others to the parser that was there. Parameters of guarded
 * statements are read by our own scanner, which knows PostgreSQL's quotes better than Jdbi's lexer does.
 */
final class FencingSqlParser implements SqlParser {

    private final SqlParser delegate;
    private final RewriteCache cache;

    FencingSqlParser(SqlParser delegate, RewriteCache cache) {
        this.delegate = delegate;
        this.cache = cache;
    }

    @Override
    public ParsedSql parse(String sql, StatementContext ctx) {
        FencingConfig config = ctx.getConfig(FencingConfig.class);
        FencedCall call = config.call();
        if (call == null) {
            return delegate.parse(sql, ctx);
        }
        if (!(delegate instanceof ColonPrefixSqlParser)) {
            throw new IllegalStateException(
                    "A guarded statement needs Jdbi's default SqlParser with :name parameters, but this " + "one has "
                            + delegate.getClass().getName() + ". Configure ColonPrefixSqlParser for it.");
        }
        RewriteCache.Entry entry = cache.get(sql, call.fence().withAnnouncing(config.isAnnouncing()));
        call.rewritten(entry);
        return entry.forJdbi();
    }

    @Override
    public String nameParameter(String rawName, StatementContext ctx) {
        return delegate.nameParameter(rawName, ctx);
    }
}
