package io.github.fencedwrite.jdbi.internal.sql;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What surrounds a statement, and what is said about those that are not understood. */
final class Statements {

    static final String WAY_OUT = "Place the fragments yourself with " + Placeholders.USAGE
            + ", or write inside Fencing.inTransaction (level 3)";
    static final String CLAIM_FORM =
            "Write SELECT … FROM table [AS alias] WHERE …; for several rows declare rows = MANY and "
                    + "add ORDER BY, in whose order they are locked; a claim locks, so it needs no FOR UPDATE";

    /** Clauses of a SELECT that have no counterpart in an UPDATE. */
    static final String[] NOT_IN_CLAIMS = {
        "GROUP", "HAVING", "WINDOW", "UNION", "INTERSECT", "EXCEPT", "LIMIT", "OFFSET", "FETCH", "FOR"
    };

    /** What may stand behind the table of a SELECT and is no alias. */
    static final String[] BEHIND_CLAIMED_TABLE = {
        "WHERE",
        "ORDER",
        "GROUP",
        "HAVING",
        "WINDOW",
        "UNION",
        "INTERSECT",
        "EXCEPT",
        "LIMIT",
        "OFFSET",
        "FETCH",
        "FOR",
        "JOIN",
        "INNER",
        "LEFT",
        "RIGHT",
        "FULL",
        "CROSS",
        "NATURAL",
        "TABLESAMPLE"
    };

    /** Keywords by which clauses are found; PostgreSQL, too, takes them for no name unless they are quoted. */
    private static final Set<String> CLAUSES = Stream.concat(
                    Stream.of("FROM", "WHERE", "RETURNING", "USING", "INTO", "ON", "ORDER"), Stream.of(NOT_IN_CLAIMS))
            .collect(Collectors.toUnmodifiableSet());

    private static final Map<String, String> KNOWN = Map.of(
            "MERGE", "MERGE has several actions, each of which would need its own guard",
            "SELECT", "a SELECT writes nothing that could be guarded (a claim is declared with @Claim)",
            "TRUNCATE", "TRUNCATE has no condition that could be guarded",
            "COPY", "COPY has no condition that could be guarded",
            "CALL", "what a procedure writes cannot be seen",
            "DO", "what a code block writes cannot be seen",
            "EXPLAIN", "EXPLAIN is not a write",
            "WITH", "this statement is nested too deeply");

    private Statements() {}

    /** Drops semicolons at the end and refuses them elsewhere. */
    static List<Lexeme> single(List<Lexeme> tokens) {
        int end = tokens.size();
        while (end > 0 && tokens.get(end - 1).isSymbol(";")) {
            end--;
        }
        if (end == 0) {
            throw new Refusal(0, "there is no statement", "Write one");
        }
        for (Lexeme token : tokens.subList(0, end)) {
            if (token.isSymbol(";")) {
                throw new Refusal(token.start(), "these are several statements", "Run each on its own");
            }
        }
        return List.copyOf(tokens.subList(0, end));
    }

    static boolean beginsClause(Lexeme token) {
        return token.kind() == Lexeme.Kind.WORD && CLAUSES.contains(token.text().toUpperCase(Locale.ROOT));
    }

    /** Moves behind a leading WITH, if all it does is read. */
    static void skipReadingCtes(Cursor cursor) {
        if (!cursor.acceptWord("WITH")) {
            return;
        }
        cursor.acceptWord("RECURSIVE");
        do {
            cursor.next();
            if (cursor.peek().isSymbol("(")) {
                cursor.moveTo(cursor.partnerOf(cursor.index()) + 1);
            }
            expect(cursor.acceptWord("AS"), cursor);
            cursor.acceptWord("NOT");
            cursor.acceptWord("MATERIALIZED");
            expect(cursor.peek().isSymbol("("), cursor);
            int body = cursor.index();
            while (cursor.acceptSymbol("(")) {
                // a parenthesised query
            }
            Lexeme first = cursor.peek();
            if (!first.isWord("SELECT") && !first.isWord("VALUES") && !first.isWord("TABLE") && !first.isWord("WITH")) {
                throw new Refusal(
                        first.start(),
                        "this part of WITH is not a query; what it writes would not be guarded",
                        WAY_OUT);
            }
            cursor.moveTo(cursor.partnerOf(body) + 1);
        } while (cursor.acceptSymbol(","));
    }

    private static void expect(boolean fulfilled, Cursor cursor) {
        if (!fulfilled) {
            throw notUnderstood(cursor.peek());
        }
    }

    static Refusal notUnderstood(Lexeme token) {
        String reason = KNOWN.get(token.text().toUpperCase(Locale.ROOT));
        String found = token.text().isEmpty() ? "the end of the statement" : "«" + token.text() + "»";
        return new Refusal(token.start(), reason != null ? reason : found + " was not expected here", WAY_OUT);
    }
}
