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
    static @Nullable Guarded replace(String sql, List<Token> tokens, Fence fence) {
        Template.Builder statement = new Template.Builder(sql, tokens);
        String operator = fence.claim() ? " <= " : fence.mode() == FenceMode.CLAIMED ? " = " : " < ";
        int at = 0;
        boolean guard = false;
        for (int i = 0; i + 4 < tokens.size(); i++) {
            if (!tokens.get(i).isSymbol("{")
                    || !tokens.get(i + 1).isWord("fence")
                    || !tokens.get(i + 2).isSymbol(".")) {
                continue;
            }
            Token what = tokens.get(i + 3);
            int close = i + 4;
            String qualifier = "";
            if (tokens.get(close).isIdentifier()) {
                qualifier = tokens.get(close++).text() + ".";
            }
            if (close >= tokens.size() || !tokens.get(close).isSymbol("}")) {
                throw new Refusal(tokens.get(i).start(), "this marker is not closed", "Write " + USAGE);
            }
            statement.source(at, tokens.get(i).start());
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
            at = tokens.get(close).end();
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
                tokens.stream().anyMatch(token -> token.isWord("RETURNING")),
                0,
                List.of());
    }

    private static void value(Template.Builder statement, Fence fence) {
        if (fence.announcing()) {
            statement.text("set_config('fencing.token', CAST(").token().text(" AS text), true)::bigint");
        } else {
            statement.token();
        }
    }
}
