package io.github.fencedwrite.jdbi.internal.sql;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The inside of an INSERT, from its column list to the SET of an upsert.
 *
 * @param columns the columns, as the database names them
 * @param columnTexts the columns, as they are written
 * @param columnsEnd offset behind the last column
 * @param rows the rows of VALUES
 * @param conflict the ON CONFLICT clause, null if there is none
 */
record Insert(
        List<String> columns,
        List<String> columnTexts,
        int columnsEnd,
        List<Row> rows,
        @Nullable Conflict conflict) {

    /** The text of an expression: offsets, and whether it is but the word DEFAULT. */
    record Range(int from, int to, boolean isDefault) {}

    /** An item of a list: index of its first and of its last token. */
    private record Item(int first, int last) {}

    /** One row of VALUES: offset of its parenthesis, offset behind its last expression, and the expressions. */
    record Row(int open, int end, List<Range> values) {}

    /** ON CONFLICT: its target as columns (empty if they cannot be told) or constraint, and the index of its first SET token. */
    record Conflict(List<String> columns, @Nullable String constraint, int set) {}

    private static final String COLUMNS = "Write INSERT INTO table (column, …) VALUES (…)";

    @Nullable Range value(int row, String column) {
        int index = columns.indexOf(column);
        List<Range> values = rows.get(row).values;
        return index < 0 || index >= values.size() || values.get(index).isDefault ? null : values.get(index);
    }

    /** The column as it is written, if it is one of those that are listed. */
    String columnText(String column) {
        return columnTexts.get(columns.indexOf(column));
    }

    /** Reads on from behind the target; the cursor stops at RETURNING, at SET's first assignment or at the end. */
    static Insert parse(Cursor cursor, String target) {
        Lexeme first = cursor.peek();
        if (!first.isSymbol("(")) {
            throw new Refusal(first.start(), "the columns of " + target + " are not listed", COLUMNS);
        }
        List<String> columns = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        int columnsEnd = 0;
        for (Item item : list(cursor)) {
            Lexeme name = cursor.token(item.first);
            if (!name.isIdentifier() || isQuery(name)) {
                throw new Refusal(name.start(), "the rows come from a query", COLUMNS + ", or use level 3");
            }
            columns.add(name.identifier());
            texts.add(name.text());
            columnsEnd = cursor.token(item.last).end();
        }
        if (cursor.acceptWord("OVERRIDING")) {
            cursor.next();
            cursor.next();
        }
        Lexeme keyword = cursor.next();
        if (!keyword.isWord("VALUES")) {
            throw new Refusal(
                    keyword.start(),
                    "VALUES was expected; rows of a query cannot be guarded one by one",
                    COLUMNS + ", or write inside Fencing.inTransaction (level 3)");
        }
        List<Row> rows = new ArrayList<>();
        do {
            int open = cursor.peek().start();
            if (!cursor.peek().isSymbol("(")) {
                throw Statements.notUnderstood(cursor.peek());
            }
            List<Range> values = new ArrayList<>();
            for (Item item : list(cursor)) {
                Lexeme value = cursor.token(item.first);
                values.add(new Range(value.start(), cursor.token(item.last).end(), value.isWord("DEFAULT")));
            }
            rows.add(new Row(open, values.get(values.size() - 1).to, List.copyOf(values)));
        } while (cursor.acceptSymbol(","));
        Conflict conflict = cursor.acceptWord("ON") ? conflict(cursor) : null;
        if (conflict == null && !cursor.atEnd() && !cursor.peek().isWord("RETURNING")) {
            throw Statements.notUnderstood(cursor.peek());
        }
        return new Insert(List.copyOf(columns), List.copyOf(texts), columnsEnd, List.copyOf(rows), conflict);
    }

    private static boolean isQuery(Lexeme token) {
        return token.isWord("SELECT") || token.isWord("WITH") || token.isWord("VALUES") || token.isWord("TABLE");
    }

    private static Conflict conflict(Cursor cursor) {
        require(cursor, "CONFLICT");
        List<String> columns = new ArrayList<>();
        String constraint = null;
        if (cursor.peek().isSymbol("(")) {
            columns.addAll(targetColumns(cursor));
            if (cursor.peek().isWord("WHERE")) {
                cursor.moveTo(cursor.clause(cursor.index(), "DO"));
            }
        } else if (cursor.acceptWord("ON")) {
            require(cursor, "CONSTRAINT");
            Lexeme name = cursor.next();
            if (!name.isIdentifier()) {
                throw new Refusal(name.start(), "a constraint was expected", "Name the constraint");
            }
            constraint = name.identifier();
        }
        Lexeme action = cursor.peek();
        require(cursor, "DO");
        if (cursor.acceptWord("NOTHING")) {
            throw new Refusal(
                    action.start(),
                    "DO NOTHING hides whether a newer token was there",
                    "Write DO UPDATE SET … (the guard refuses it where a newer token is), or leave ON CONFLICT out and let "
                            + "the unique constraint speak");
        }
        require(cursor, "UPDATE");
        require(cursor, "SET");
        return new Conflict(List.copyOf(columns), constraint, cursor.index());
    }

    /** The columns of a conflict target; none if it holds an expression, a collation or an operator class. */
    private static List<String> targetColumns(Cursor cursor) {
        int open = cursor.index();
        int close = cursor.partnerOf(open);
        List<String> columns = new ArrayList<>();
        for (int i = open + 1; i < close; i += 2) {
            Lexeme token = cursor.token(i);
            Lexeme behind = cursor.token(i + 1);
            if (!token.isIdentifier() || (!behind.isSymbol(",") && i + 1 < close)) {
                columns.clear();
                break;
            }
            columns.add(token.identifier());
        }
        cursor.moveTo(close + 1);
        return columns;
    }

    private static void require(Cursor cursor, String keyword) {
        Lexeme token = cursor.next();
        if (!token.isWord(keyword)) {
            throw Statements.notUnderstood(token);
        }
    }

    /** Reads a parenthesised list and answers what stands between its commas. */
    private static List<Item> list(Cursor cursor) {
        int open = cursor.index();
        int close = cursor.partnerOf(open);
        int depth = cursor.token(open).depth() + 1;
        List<Item> items = new ArrayList<>();
        int from = open + 1;
        for (int i = from; i <= close; i++) {
            Lexeme token = cursor.token(i);
            if (i == close || (token.depth() == depth && token.isSymbol(","))) {
                if (from == i) {
                    throw new Refusal(token.start(), "an item of the list is missing", "Complete the statement");
                }
                items.add(new Item(from, i - 1));
                from = i + 1;
            }
        }
        cursor.moveTo(close + 1);
        return items;
    }
}
