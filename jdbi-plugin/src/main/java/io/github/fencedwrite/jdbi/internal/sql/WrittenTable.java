package io.github.fencedwrite.jdbi.internal.sql;

import io.github.fencedwrite.jdbi.StatementRefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What a statement writes to, as far as its text tells: the name of the target, in parts; no part for a statement that only
 * reads. What functions do that it calls cannot be seen.
 *
 * @param target the parts of the name, as the database names them
 */
public record WrittenTable(List<String> target) {

    private static final Set<String> HARMLESS = Set.of(
            "SELECT",
            "VALUES",
            "TABLE",
            "SHOW",
            "SET",
            "RESET",
            "SAVEPOINT",
            "RELEASE",
            "ROLLBACK",
            "BEGIN",
            "START",
            "COMMIT",
            "END",
            "LISTEN",
            "UNLISTEN",
            "NOTIFY",
            "LOCK",
            "DECLARE",
            "FETCH",
            "MOVE",
            "CLOSE");

    /**
     * Looks at a statement that is written with question marks.
     *
     * @throws StatementRefusedException if it may write and is none of UPDATE, INSERT and DELETE
     */
    public static WrittenTable of(String sql) {
        try {
            List<Lexeme> tokens = Statements.single(Scanner.scan(sql, ParameterStyle.JDBC));
            Cursor cursor = new Cursor(tokens, sql.length());
            while (cursor.acceptSymbol("(")) {
                // a query in parentheses may have a WITH that writes
            }
            Statements.skipReadingCtes(cursor);
            Lexeme keyword = cursor.next();
            switch (keyword.text().toUpperCase(Locale.ROOT)) {
                case "UPDATE" -> cursor.acceptWord("ONLY");
                case "DELETE" -> {
                    cursor.acceptWord("FROM");
                    cursor.acceptWord("ONLY");
                }
                case "INSERT" -> cursor.acceptWord("INTO");
                default -> {
                    Lexeme into = cursor.token(cursor.clause(cursor.index(), "INTO"));
                    if (keyword.isWord("SELECT") && into.isWord("INTO")) {
                        throw new Refusal(
                                into.start(),
                                "SELECT … INTO makes a table, and fills it without a guard",
                                "Create it outside of the guarding scope");
                    }
                    if (HARMLESS.contains(keyword.text().toUpperCase(Locale.ROOT))) {
                        return new WrittenTable(List.of());
                    }
                    throw Statements.notUnderstood(keyword);
                }
            }
            cursor.acceptSymbol("(");
            List<String> parts = new ArrayList<>();
            do {
                Lexeme part = cursor.next();
                if (!part.isIdentifier()) {
                    throw new Refusal(part.start(), "a table was expected", "Name the table that is written");
                }
                parts.add(part.identifier());
            } while (cursor.acceptSymbol("."));
            return new WrittenTable(List.copyOf(parts));
        } catch (Refusal refusal) {
            throw new StatementRefusedException(sql, refusal.offset, refusal.reason, refusal.wayOut);
        }
    }

    /** Reads a table's name as it is written in SQL, for example {@code public."Order"}. */
    public static List<String> name(String table) {
        return of("DELETE FROM " + table).target();
    }

    /** Whether a name, of which the schema may be missing here or there, can mean the target. */
    public boolean mayBe(List<String> name) {
        int common = Math.min(name.size(), target.size());
        return common > 0
                && name.subList(name.size() - common, name.size())
                        .equals(target.subList(target.size() - common, target.size()));
    }
}
