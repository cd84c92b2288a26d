package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.jdbi.internal.sql.ParameterStyle;
import java.util.List;
import org.jdbi.v3.core.statement.ParsedSql;
import org.jdbi.v3.core.statement.SqlParser;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * Takes the place of Jdbi's default parser for a statement that is to be guarded: our own scanner reads the parameters, since it
 * knows PostgreSQL's quotes better than Jdbi's lexer does, and rewrites on the way. Statements with another parser are rewritten
 * later, by {@link FencingStatementBuilder}.
 */
final class FencingSqlParser implements SqlParser {

    private final SqlParser delegate;

    FencingSqlParser(SqlParser delegate) {
        this.delegate = delegate;
    }

    @Override
    public ParsedSql parse(String sql, StatementContext ctx) {
        FencingConfig config = ctx.getConfig(FencingConfig.class);
        FencedCall call = config.call();
        if (call == null) {
            return delegate.parse(sql, ctx);
        }
        RewriteCache.Entry entry = config.rewrite(sql, ParameterStyle.JDBI, call);
        call.rewritten(entry, List.of());
        return entry.forJdbi();
    }

    @Override
    public String nameParameter(String rawName, StatementContext ctx) {
        return delegate.nameParameter(rawName, ctx);
    }
}
