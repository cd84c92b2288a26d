package io.github.fencedwrite.jdbi.internal.sql;

import java.util.HashSet;
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

    /** Functions over all rows of a SELECT, as the database names them; RETURNING knows none. */
    private static final Set<String> AGGREGATES = Set.of(
            "array_agg",
            "avg",
            "bool_and",
            "bool_or",
            "count",
            "every",
            "json_agg",
            "jsonb_agg",
            "json_object_agg",
            "jsonb_object_agg",
            "max",
            "min",
            "string_agg",
            "sum");

    private Statements() {}

    /** Refuses a select list whose rows are not those of the table; what stands in a query of its own is none of its. */
    static void refuseAggregates(List<Lexeme> list) {
        for (int i = 0; i + 1 < list.size(); i++) {
            Lexeme name = list.get(i);
            boolean query = name.isSymbol("(") && list.get(i + 1).isWord("SELECT");
            if (query) {
                int depth = name.depth();
                do {
                    i++;
                } while (i < list.size() && list.get(i).depth() > depth);
            } else if (name.isIdentifier() && list.get(i + 1).isSymbol("(") && AGGREGATES.contains(name.identifier())) {
                throw new Refusal(
                        name.start(),
                        "a claim returns the rows that it claims, so it cannot count or add them up",
                        "Select the rows, and count them in the application");
            }
        }
    }

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

    /**
     * Moves behind a leading WITH, if all it does is read.
     *
     * @return the names that it defines, as the database looks them up
     */
    static Set<String> skipReadingCtes(Cursor cursor) {
        Set<String> names = new HashSet<>();
        if (!cursor.acceptWord("WITH")) {
            return names;
        }
        cursor.acceptWord("RECURSIVE");
        do {
            Lexeme name = cursor.next();
            if (name.isIdentifier()) {
                names.add(name.identifier());
            }
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
        return names;
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
