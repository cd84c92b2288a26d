package io.github.fencedwrite.jdbi.internal.sql;

import java.util.Set;

/**
 * The table that a statement writes.
 *
 * @param from offset of its first character, that of ONLY if it is there
 * @param to offset behind its alias
 * @param table its name, as it is written
 * @param qualifier by what its columns are qualified, as it is written
 */
record Target(int from, int to, String table, String qualifier) {

    /**
     * Reads on from the table's name, or from ONLY before it.
     *
     * @param ctes the names that the statement's WITH defines
     * @param behind what may follow and is no alias; nothing if an alias needs AS
     */
    static Target parse(String sql, Cursor cursor, Set<String> ctes, String... behind) {
        int from = cursor.peek().start();
        boolean parenthesis = cursor.acceptWord("ONLY") && cursor.acceptSymbol("(");
        int nameFrom = cursor.peek().start();
        if (Statements.beginsClause(cursor.peek())) {
            throw noTable(cursor.peek());
        }
        Lexeme name;
        do {
            name = cursor.next();
            if (!name.isIdentifier()) {
                throw noTable(name);
            }
        } while (cursor.acceptSymbol("."));
        String table = sql.substring(nameFrom, name.end());
        if (table.equals(name.text()) && ctes.contains(name.identifier())) {
            throw new Refusal(
                    nameFrom,
                    "a part of WITH has the name of the table, and would be asked instead of it",
                    "Rename that part, or qualify the table with its schema");
        }
        if (parenthesis && !cursor.acceptSymbol(")")) {
            throw new Refusal(cursor.peek().start(), "«)» was expected", "Name one table");
        }
        cursor.acceptSymbol("*");
        Lexeme alias = name;
        if (cursor.acceptWord("AS") || (behind.length > 0 && isAlias(cursor.peek(), behind))) {
            alias = cursor.next();
            if (!alias.isIdentifier() || Statements.beginsClause(alias)) {
                throw new Refusal(alias.start(), "an alias was expected", "Name the alias");
            }
        }
        return new Target(from, cursor.token(cursor.index() - 1).end(), table, alias.text());
    }

    private static Refusal noTable(Lexeme found) {
        return new Refusal(found.start(), "a table was expected", "Name the table that is written");
    }

    private static boolean isAlias(Lexeme token, String... behind) {
        for (String keyword : behind) {
            if (token.isWord(keyword)) {
                return false;
            }
        }
        return token.isIdentifier();
    }
}
