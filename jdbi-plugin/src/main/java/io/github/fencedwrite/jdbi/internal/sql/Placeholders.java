package io.github.fencedwrite.jdbi.internal.sql;

import io.github.fencedwrite.jdbi.FenceMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way out for statements that are not understood: the application says where the fragments go. The markers are no valid
 * SQL, so a statement that holds them cannot run without being rewritten.
 */
final class Placeholders {

    static final String USAGE =
            "{fence.set} in SET and {fence.guard alias} in the condition ({fence.token} for the bare value)";

    private Placeholders() {}

    /** Replaces the markers; null if there are none. */
    static @Nullable Guarded replace(String sql, List<Lexeme> tokens, GuardSpec fence) {
        Template.Builder statement = new Template.Builder(sql, tokens);
        String operator = fence.claim() ? " <= " : fence.mode() == FenceMode.CLAIMED ? " = " : " < ";
        Cursor cursor = new Cursor(tokens, sql.length());
        int at = 0;
        boolean guard = false;
        while (!cursor.atEnd()) {
            Lexeme open = cursor.next();
            if (!open.isSymbol("{") || !cursor.acceptWord("fence") || !cursor.acceptSymbol(".")) {
                continue;
            }
            Lexeme what = cursor.next();
            String qualifier = cursor.peek().isIdentifier() ? cursor.next().text() + "." : "";
            Lexeme close = cursor.next();
            if (!close.isSymbol("}")) {
                throw new Refusal(open.start(), "this marker is not closed", "Write " + USAGE);
            }
            statement.source(at, open.start());
            if (what.isWord("set")) {
                value(statement.text(fence.quotedColumn() + " = "), fence);
            } else if (what.isWord("guard")) {
                statement.text(qualifier + fence.quotedColumn() + operator).token();
                guard = true;
            } else if (what.isWord("token")) {
                value(statement, fence);
            } else {
                throw new Refusal(what.start(), "this marker is not known", "Write " + USAGE);
            }
            at = close.end();
        }
        if (at == 0) {
            return null;
        }
        if (!guard) {
            throw new Refusal(0, "{fence.guard} is missing", "Write " + USAGE);
        }
        return new Guarded(
                Guarded.Kind.PLACED,
                "the statement",
                statement.source(at, sql.length()).build(),
                null,
                null,
                null,
                null,
                false,
                tokens.stream().anyMatch(token -> token.isWord("RETURNING")),
                0,
                List.of());
    }

    private static void value(Template.Builder statement, GuardSpec fence) {
        if (fence.announcing()) {
            statement.text("set_config('fencing.token', CAST(").token().text(" AS text), true)::bigint");
        } else {
            statement.token();
        }
    }
}
