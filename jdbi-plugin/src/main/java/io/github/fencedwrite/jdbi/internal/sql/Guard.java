package io.github.fencedwrite.jdbi.internal.sql;

import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.Rows;
import io.github.fencedwrite.jdbi.StatementRefusedException;
import java.util.List;
import java.util.Set;

/**
 * The grammar of the guard: which statements are understood, and where its fragments go.
 *
 * <ol>
 *   <li>{@code [WITH reading CTEs] UPDATE [ONLY] t [AS a] SET … [FROM …] [WHERE …] [RETURNING …]}: the token at the end of
 *       SET, the comparison in WHERE;
 *   <li>{@code [WITH …] DELETE FROM [ONLY] t [AS a] [USING …] [WHERE …] [RETURNING …]}: the comparison in WHERE;
 *   <li>{@code [WITH …] INSERT INTO t [AS a] (…) [OVERRIDING …] VALUES (…), … [RETURNING …]}: the column, and the token in
 *       each row;
 *   <li>the same with {@code ON CONFLICT … DO UPDATE SET … [WHERE …]}: also the token of EXCLUDED in SET and its comparison
 *       in WHERE;
 *   <li>for a claim, {@code [WITH …] SELECT … FROM [ONLY] t [AS a] [WHERE …] [ORDER BY …]}, turned into an UPDATE of nothing
 *       but the token that returns what was selected.
 * </ol>
 *
 * <p>The user's condition is put in parentheses, with a newline before the closing one in case it ends in a comment. The
 * comparison is qualified by the target's alias or name, the column in SET is not, as PostgreSQL demands. All else stays
 * as it was, byte for byte. What is not in this list is refused.
 */
public final class Guard {

    private final String sql;
    private final List<Lexeme> tokens;
    private final Cursor cursor;
    private final GuardSpec fence;
    private final String column;

    private final List<String> knownKey;
    private Set<String> ctes = Set.of();

    private Guard(String sql, List<Lexeme> tokens, GuardSpec fence, List<String> knownKey) {
        this.knownKey = knownKey;
        this.sql = sql;
        this.tokens = tokens;
        this.cursor = new Cursor(tokens, sql.length());
        this.fence = fence;
        this.column = fence.quotedColumn();
    }

    /**
     * Puts the guard into a statement.
     *
     * @param sql one statement, as the application wrote it
     * @param style how its parameters are written
     * @param fence what the guard shall be
     * @throws StatementRefusedException if the statement is not one of those that are understood
     */
    public static Guarded rewrite(String sql, ParameterStyle style, GuardSpec fence) {
        return rewrite(sql, style, fence, List.of());
    }

    /**
     * As {@link #rewrite(String, ParameterStyle, GuardSpec)}, for an INSERT whose probe cannot be told from its text.
     *
     * @param knownKey the columns of the constraint that its rows may violate, as the database names them
     */
    public static Guarded rewrite(String sql, ParameterStyle style, GuardSpec fence, List<String> knownKey) {
        try {
            List<Lexeme> tokens = Statements.single(Scanner.scan(sql, style));
            Parameters.refuseMixed(tokens);
            Guarded placed = Placeholders.replace(sql, tokens, fence);
            return placed != null ? placed : new Guard(sql, tokens, fence, knownKey).statement();
        } catch (Refusal refusal) {
            throw new StatementRefusedException(sql, refusal.offset, refusal.reason, refusal.wayOut);
        }
    }

    private Guarded statement() {
        ctes = Statements.skipReadingCtes(cursor);
        int start = cursor.index();
        refuseNamedColumn(start);
        Lexeme keyword = cursor.next();
        if (fence.claim()) {
            if (keyword.isWord("SELECT")) {
                return claim(start);
            }
            throw new Refusal(
                    keyword.start(),
                    "a claim begins with SELECT",
                    "Write what you want to read: @Claim turns it "
                            + "into UPDATE … RETURNING; guard other statements with @Fenced");
        }
        if (keyword.isWord("UPDATE")) {
            return update(start);
        }
        if (keyword.isWord("DELETE")) {
            return delete(start);
        }
        if (keyword.isWord("INSERT")) {
            return insert(start);
        }
        throw Statements.notUnderstood(keyword);
    }

    /** What the user reads of the column, in RETURNING or in the select list of a claim, is no harm. */
    private void refuseNamedColumn(int start) {
        int from = fence.claim() ? cursor.clause(start, "WHERE") : 0;
        int to = fence.claim() ? tokens.size() : cursor.clause(start, "RETURNING");
        tokens.subList(from, to).forEach(this::refuseIfColumn);
    }

    private void refuseIfColumn(Lexeme token) {
        if (token.isIdentifier() && token.identifier().equals(fence.column())) {
            throw new Refusal(
                    token.start(),
                    "the statement names the token column " + column + " itself",
                    "Leave the column to the guard, or place both fragments yourself with " + Placeholders.USAGE);
        }
    }

    private Guarded update(int start) {
        Target target = target("SET");
        require("SET");
        int set = cursor.index();
        int from = cursor.clause(set, "FROM", "WHERE", "RETURNING");
        int setEnd = endOf(set, from, "an assignment");
        int where = cursor.clause(from, "WHERE", "RETURNING");

        Template.Builder statement = builder().source(0, setEnd);
        if (fence.mode() == FenceMode.FIRST || fence.announcing()) {
            value(statement.text(", " + column + " = "));
        }
        condition(statement, setEnd, where, target.qualifier(), false);
        return guarded(Guarded.Kind.UPDATE, target, statement.build(), probe(start, target), from + 1, where);
    }

    private Guarded delete(int start) {
        require("FROM");
        Target target = target("USING", "WHERE", "RETURNING");
        int using = cursor.clause(cursor.index(), "USING", "WHERE", "RETURNING");
        refuseBetween(cursor.index(), using);
        int where = cursor.clause(using, "WHERE", "RETURNING");

        Template.Builder statement = builder();
        condition(statement, 0, where, target.qualifier(), fence.announcing());
        return guarded(Guarded.Kind.DELETE, target, statement.build(), probe(start, target), using + 1, where);
    }

    private Guarded insert(int start) {
        require("INTO");
        Target target = target();
        Insert insert = Insert.parse(cursor, target.qualifier());
        int last = cursor.index();
        Insert.Conflict conflict = insert.conflict();
        if (insert.rows().size() > 1 && conflict != null && fence.rows() == Rows.ONE) {
            throw new Refusal(
                    insert.rows().get(1).open(),
                    "an upsert of several rows can be refused in part",
                    "Declare rows = MANY and run it in a transaction, or use a batch");
        }
        Template.Builder statement = builder().source(0, insert.columnsEnd()).text(", " + column);
        int at = insert.columnsEnd();
        for (Insert.Row row : insert.rows()) {
            value(statement.source(at, row.end()).text(", "));
            at = row.end();
        }
        if (conflict == null) {
            statement.source(at, sql.length());
        } else {
            int setEnd = endOf(conflict.set(), cursor.clause(conflict.set(), "WHERE", "RETURNING"), "an assignment");
            statement.source(at, setEnd).text(", " + column + " = EXCLUDED." + column);
            last = cursor.clause(conflict.set(), "WHERE", "RETURNING");
            String comparison = target.qualifier() + "." + column + operator() + "EXCLUDED." + column;
            splice(statement, setEnd, last, () -> statement.text(comparison));
        }
        List<String> key = knownKey.isEmpty() && conflict != null ? conflict.columns() : knownKey;
        Template probe = probe(start, target).key(insert, key);
        return new Guarded(
                conflict == null ? Guarded.Kind.INSERT : Guarded.Kind.UPSERT,
                target.table(),
                statement.build(),
                null,
                null,
                probe,
                conflict == null ? null : conflict.constraint(),
                conflict != null && cursor.token(last).isWord("WHERE"),
                returns(last),
                insert.rows().size(),
                Parameters.of(tokens, insert, key.isEmpty() ? insert.columns() : key));
    }

    private Guarded claim(int start) {
        int from = cursor.clause(cursor.index(), "INTO", "FROM");
        if (!cursor.token(from).isWord("FROM")
                || cursor.peek().isWord("DISTINCT")
                || cursor.peek().isWord("ALL")) {
            throw new Refusal(cursor.token(from).start(), "a claim reads rows of one table", Statements.CLAIM_FORM);
        }
        int list = cursor.peek().start();
        int listEnd = endOf(cursor.index(), from, "a select list");
        Statements.refuseAggregates(tokens.subList(cursor.index(), from));
        cursor.moveTo(from + 1);
        Target target = target(Statements.BEHIND_CLAIMED_TABLE);
        int where = cursor.clause(cursor.index(), "WHERE", "ORDER");
        refuseBetween(cursor.index(), where);
        int order = cursor.clause(where, "ORDER");
        int stray = cursor.clause(where, Statements.NOT_IN_CLAIMS);
        if (stray < tokens.size() || order < tokens.size() != (fence.rows() == Rows.MANY)) {
            throw new Refusal(
                    cursor.token(Math.min(stray, order)).start(),
                    fence.rows() == Rows.MANY
                            ? "a claim of several rows ends in ORDER BY, and in nothing else"
                            : "a claim of one row ends with its condition",
                    Statements.CLAIM_FORM);
        }
        Template.Builder update = builder();
        boolean many = fence.rows() == Rows.MANY;
        update.source(0, cursor.token(start).start());
        if (many) {
            update.text((start == 0 ? "WITH " : ", ") + target.qualifier() + " AS (");
        }
        update.text("UPDATE ").source(target.from(), target.to()).text(" SET " + column + " = ");
        value(update);
        update.text(" WHERE ");
        if (where < order) {
            update.text("(")
                    .source(cursor.token(where).end(), endOf(where + 1, order, "a condition"))
                    .text("\n) AND ");
        }
        update.text(target.qualifier() + "." + column + " <= ").token().text(" RETURNING ");
        if (many) {
            update.text("*) SELECT ")
                    .source(list, listEnd)
                    .text(" FROM " + target.qualifier() + " ")
                    .source(cursor.token(order).start(), sql.length());
        } else {
            update.source(list, listEnd);
        }
        Template lock = many
                ? builder()
                        .source(0, endOf(order, tokens.size(), ""))
                        .text("\nFOR NO KEY UPDATE OF " + target.qualifier())
                        .build()
                : null;
        Template probe = probe(start, target).rows(where, where);
        return new Guarded(
                Guarded.Kind.CLAIM,
                target.table(),
                update.build(),
                lock,
                null,
                probe,
                null,
                false,
                true,
                0,
                Parameters.between(tokens, where, order));
    }

    private Guarded guarded(Guarded.Kind kind, Target target, Template statement, Probe probe, int items, int where) {
        Template before = fence.rows() == Rows.MANY
                ? probe.locked(items, where, kind == Guarded.Kind.DELETE ? "UPDATE" : "NO KEY UPDATE")
                : null;
        return new Guarded(
                kind,
                target.table(),
                statement,
                null,
                before,
                probe.rows(items, where),
                null,
                false,
                returns(where),
                0,
                Parameters.between(tokens, where, cursor.clause(where, "RETURNING")));
    }

    /** Copies from offset {@code at}, and puts the comparison into the WHERE at token {@code where} or makes one there. */
    private void condition(Template.Builder statement, int at, int where, String qualifier, boolean announced) {
        splice(statement, at, where, () -> {
            statement.text(qualifier + "." + column + operator()).token();
            if (announced) {
                announce(statement.text(" AND "));
                statement.text(" = ").token();
            }
        });
    }

    private void splice(Template.Builder statement, int at, int where, Runnable comparison) {
        int rest;
        if (cursor.token(where).isWord("WHERE")) {
            Lexeme keyword = cursor.token(where);
            if (cursor.token(where + 1).isWord("CURRENT")
                    && cursor.token(where + 2).isWord("OF")) {
                throw new Refusal(
                        cursor.token(where + 1).start(),
                        "WHERE CURRENT OF takes no further condition",
                        "Name the row by its key, or write inside Fencing.inTransaction (level 3)");
            }
            rest = endOf(where + 1, cursor.clause(where, "RETURNING"), "a condition");
            statement
                    .source(at, keyword.end())
                    .text(" (")
                    .source(keyword.end(), rest)
                    .text("\n) AND ");
        } else {
            rest = cursor.token(where - 1).end();
            statement.source(at, rest).text(" WHERE ");
        }
        comparison.run();
        statement.source(rest, sql.length());
    }

    private String operator() {
        return fence.mode() == FenceMode.CLAIMED ? " = " : " < ";
    }

    /** The token's expression in SET or VALUES. */
    private void value(Template.Builder statement) {
        if (fence.announcing()) {
            announce(statement);
        } else {
            statement.token();
        }
    }

    private static void announce(Template.Builder statement) {
        statement.text("set_config('fencing.token', CAST(").token().text(" AS text), true)::bigint");
    }

    private Target target(String... behind) {
        return Target.parse(sql, cursor, ctes, behind);
    }

    private void require(String keyword) {
        Lexeme token = cursor.next();
        if (!token.isWord(keyword)) {
            throw new Refusal(token.start(), keyword + " was expected", Statements.WAY_OUT);
        }
    }

    private void refuseBetween(int from, int to) {
        if (from < to) {
            throw Statements.notUnderstood(cursor.token(from));
        }
    }

    private int endOf(int from, int to, String what) {
        if (from >= to) {
            throw new Refusal(cursor.token(from).start(), what + " was expected", "Complete the statement");
        }
        return cursor.token(to - 1).end();
    }

    private boolean returns(int from) {
        return cursor.clause(from, "RETURNING") < tokens.size();
    }

    private Probe probe(int start, Target target) {
        return new Probe(
                sql, tokens, cursor, target, column, cursor.token(start).start());
    }

    private Template.Builder builder() {
        return new Template.Builder(sql, tokens);
    }
}
