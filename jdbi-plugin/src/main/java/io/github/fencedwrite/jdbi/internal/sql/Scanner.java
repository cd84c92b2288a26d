package io.github.fencedwrite.jdbi.internal.sql;

import io.github.fencedwrite.jdbi.internal.sql.Lexeme.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Splits a statement into tokens by the rules of PostgreSQL's lexer.
 *
 * <p>Follows the chapter «Lexical Structure» of the PostgreSQL manual with {@code standard_conforming_strings = on} (the
 * default since 9.1): {@code '…'} knows no escapes, {@code E'…'} does; dollar quotes with tags; comments nest. What is a
 * parameter is decided by the {@link ParameterStyle}.
 */
final class Scanner {

    private final String sql;
    private final ParameterStyle style;
    private final List<Lexeme> tokens = new ArrayList<>();
    private final List<Integer> open = new ArrayList<>();
    private int pos;

    private Scanner(String sql, ParameterStyle style) {
        this.sql = sql;
        this.style = style;
    }

    /**
     * Splits {@code sql}.
     *
     * @throws Refusal if a quote, comment or parenthesis is not closed
     */
    static List<Lexeme> scan(String sql, ParameterStyle style) {
        Scanner scanner = new Scanner(sql, style);
        while (scanner.pos < sql.length()) {
            scanner.step();
        }
        if (!scanner.open.isEmpty()) {
            int at = scanner.open.get(scanner.open.size() - 1);
            throw new Refusal(at, "«" + sql.charAt(at) + "» is never closed", "Close it");
        }
        return scanner.tokens;
    }

    private void step() {
        char c = sql.charAt(pos);
        if (c == ' ' || (c >= '\t' && c <= '\r')) {
            pos++;
        } else if (at("--")) {
            pos = endOfLine(pos);
        } else if (at("/*")) {
            skipComment();
        } else if (c == '\'') {
            string(pos, pos, false);
        } else if (c == '"') {
            quotedIdentifier(pos, pos);
        } else if (c == '$' && dollarTag() != null) {
            dollarString();
        } else if (isIdentifierStart(c)) {
            word();
        } else if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
            number();
        } else if (c == ':' && style == ParameterStyle.JDBI && peek(1) != ':' && isJdbiName(pos + 1)) {
            named();
        } else if (c == '?') {
            int length = peek(1) == '?' ? 2 : 1;
            add(length == 2 ? Kind.SYMBOL : Kind.POSITIONAL, pos, pos + length);
        } else if (c == '\\' && style == ParameterStyle.JDBI && pos + 1 < sql.length()) {
            escaped(peek(1));
        } else {
            symbol(c);
        }
    }

    /** Jdbi drops the backslash, so PostgreSQL will read the character as if it had never been there. */
    private void escaped(char c) {
        if (isIdentifierPart(c) || "'\"()[];?-/*".indexOf(c) >= 0) {
            throw new Refusal(
                    pos,
                    "the backslash hides «" + c + "» from the guard, but not from the database",
                    "Escape nothing but colons, and write ?? for the operator ?");
        }
        add(Kind.ESCAPED, pos, pos + 2);
    }

    private void symbol(char c) {
        if (c == '(' || c == '[') {
            add(Kind.SYMBOL, pos, pos + 1);
            open.add(pos - 1);
        } else if (c == ')' || c == ']') {
            char partner = c == ')' ? '(' : '[';
            if (open.isEmpty() || sql.charAt(open.get(open.size() - 1)) != partner) {
                throw new Refusal(pos, "«" + c + "» closes nothing", "Balance the parentheses");
            }
            open.remove(open.size() - 1);
            add(Kind.SYMBOL, pos, pos + 1);
        } else {
            add(Kind.SYMBOL, pos, at("::") ? pos + 2 : pos + 1);
        }
    }

    private void word() {
        int start = pos;
        int end = pos + 1;
        while (end < sql.length() && isIdentifierPart(sql.charAt(end))) {
            end++;
        }
        char next = end < sql.length() ? sql.charAt(end) : 0;
        if (end - start == 1 && next == '\'' && "eEbBxXnN".indexOf(sql.charAt(start)) >= 0) {
            string(start, end, "eE".indexOf(sql.charAt(start)) >= 0);
        } else if (end - start == 1 && "uU".indexOf(sql.charAt(start)) >= 0 && sql.startsWith("&'", end)) {
            string(start, end + 1, false);
        } else if (end - start == 1 && "uU".indexOf(sql.charAt(start)) >= 0 && sql.startsWith("&\"", end)) {
            quotedIdentifier(start, end + 1);
        } else {
            if (end - start == 7 && sql.regionMatches(true, start, "UESCAPE", 0, 7)) {
                throw new Refusal(start, "UESCAPE can hide what a name means", "Use the default escape character");
            }
            add(Kind.WORD, start, end);
        }
    }

    private void number() {
        int end = pos;
        while (end < sql.length() && (isDigit(sql.charAt(end)) || sql.charAt(end) == '.' || sql.charAt(end) == '_')) {
            end++;
        }
        // letters end a number (older servers read 2WHERE as two tokens), but not the one of an exponent or of 0x
        if (end < sql.length() && "eE".indexOf(sql.charAt(end)) >= 0) {
            int digits = end + 1 + (end + 1 < sql.length() && "+-".indexOf(sql.charAt(end + 1)) >= 0 ? 1 : 0);
            while (digits < sql.length() && isDigit(sql.charAt(digits))) {
                end = ++digits;
            }
        } else if (end - pos == 1
                && sql.charAt(pos) == '0'
                && end < sql.length()
                && "xXoObB".indexOf(sql.charAt(end)) >= 0) {
            end++;
            while (end < sql.length() && (Character.digit(sql.charAt(end), 16) >= 0 || sql.charAt(end) == '_')) {
                end++;
            }
        }
        add(Kind.NUMBER, pos, end);
    }

    /** Letters, digits, dots and {@code ?.}, as Jdbi has it; but a digit in brackets is the bound of an array slice. */
    private boolean isJdbiName(int from) {
        if (from >= sql.length()) {
            return false;
        }
        char c = sql.charAt(from);
        boolean inBrackets = !open.isEmpty() && sql.charAt(open.get(open.size() - 1)) == '[';
        return (isIdentifierPart(c) && !(isDigit(c) && inBrackets)) || c == '.' || sql.startsWith("?.", from);
    }

    private void named() {
        int end = pos + 1;
        while (end < sql.length()) {
            if (isIdentifierPart(sql.charAt(end)) || sql.charAt(end) == '.') {
                end++;
            } else if (sql.startsWith("?.", end)) {
                end += 2;
            } else {
                break;
            }
        }
        boolean runsOn = end < sql.length() && (sql.charAt(end) == '?' || (at(":", end) && !at("::", end)));
        if (runsOn || (pos > 0 && sql.charAt(pos - 1) == '?')) {
            throw new Refusal(
                    pos,
                    "the driver would take this parameter and its neighbour for the operator «?»",
                    "Put a blank between them");
        }
        add(Kind.NAMED, pos, end);
    }

    private void string(int start, int quote, boolean escapes) {
        int i = quote + 1;
        while (i < sql.length()) {
            char c = sql.charAt(i);
            if (escapes && c == '\\') {
                i += 2;
            } else if (c != '\'') {
                i++;
            } else if (i + 1 < sql.length() && sql.charAt(i + 1) == '\'') {
                i += 2;
            } else {
                int more = escapes ? continuation(i + 1) : -1;
                if (more < 0) {
                    add(Kind.STRING, start, i + 1);
                    return;
                }
                i = more;
            }
        }
        throw new Refusal(start, "the string that begins here is never closed", "Close it with '");
    }

    /**
     * Where a string goes on that was closed in front of {@code from}: behind the next quote, if a line end lies between and
     * nothing but white space and {@code --} comments besides. There its escapes are valid still. Below 0 if it has ended.
     */
    private int continuation(int from) {
        boolean newLine = false;
        int i = from;
        while (i < sql.length()) {
            char c = sql.charAt(i);
            if (c == '\n' || c == '\r') {
                newLine = true;
                i++;
            } else if (c == ' ' || (c >= '\t' && c <= '\f')) {
                i++;
            } else if (sql.startsWith("--", i)) {
                i = endOfLine(i);
            } else {
                return newLine && c == '\'' ? i + 1 : -1;
            }
        }
        return -1;
    }

    private void quotedIdentifier(int start, int quote) {
        int i = quote + 1;
        while (i < sql.length()) {
            if (sql.charAt(i) != '"') {
                i++;
            } else if (i + 1 < sql.length() && sql.charAt(i + 1) == '"') {
                i += 2;
            } else {
                add(Kind.QUOTED, start, i + 1);
                return;
            }
        }
        throw new Refusal(start, "the quoted name that begins here is never closed", "Close it with \"");
    }

    private @Nullable String dollarTag() {
        int i = pos + 1;
        while (i < sql.length() && isIdentifierPart(sql.charAt(i)) && sql.charAt(i) != '$') {
            if (i == pos + 1 && isDigit(sql.charAt(i))) {
                return null;
            }
            i++;
        }
        return i < sql.length() && sql.charAt(i) == '$' ? sql.substring(pos, i + 1) : null;
    }

    private void dollarString() {
        String tag = Objects.requireNonNull(dollarTag());
        int end = sql.indexOf(tag, pos + tag.length());
        if (end < 0) {
            throw new Refusal(pos, "the string that begins here is never closed", "Close it with " + tag);
        }
        add(Kind.STRING, pos, end + tag.length());
    }

    private int endOfLine(int from) {
        int end = from;
        while (end < sql.length() && sql.charAt(end) != '\n' && sql.charAt(end) != '\r') {
            end++;
        }
        return end;
    }

    private void skipComment() {
        int start = pos;
        int nesting = 0;
        do {
            if (at("/*")) {
                nesting++;
                pos += 2;
            } else if (at("*/")) {
                nesting--;
                pos += 2;
            } else {
                pos++;
            }
        } while (nesting > 0 && pos < sql.length());
        if (nesting > 0) {
            throw new Refusal(start, "the comment that begins here is never closed", "Close it with */");
        }
    }

    private void add(Kind kind, int start, int end) {
        tokens.add(new Lexeme(kind, sql.substring(start, end), start, end, open.size()));
        pos = end;
    }

    private boolean at(String text) {
        return at(text, pos);
    }

    private boolean at(String text, int offset) {
        return sql.startsWith(text, offset);
    }

    private char peek(int ahead) {
        return pos + ahead < sql.length() ? sql.charAt(pos + ahead) : 0;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isIdentifierStart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
    }

    private static boolean isIdentifierPart(char c) {
        return isIdentifierStart(c) || isDigit(c) || c == '$';
    }
}
