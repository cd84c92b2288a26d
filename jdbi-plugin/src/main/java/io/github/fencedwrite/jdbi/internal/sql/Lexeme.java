package io.github.fencedwrite.jdbi.internal.sql;

import java.util.Locale;

/**
 * One lexical element of a statement; white space and comments are none.
 *
 * @param kind what it is
 * @param text the source text, as it was written
 * @param start offset of its first character
 * @param end offset behind its last character
 * @param depth how many parentheses and brackets are open around it; an opening one and its partner have the depth
 *     outside
 */
record Lexeme(Kind kind, String text, int start, int end, int depth) {

    enum Kind {
        /** A keyword or an identifier without quotes. */
        WORD,
        /** An identifier in double quotes, with or without {@code U&}. */
        QUOTED,
        /** A string constant of any sort. */
        STRING,
        NUMBER,
        /** A named parameter, with its colon. */
        NAMED,
        /** A positional parameter, one question mark. */
        POSITIONAL,
        /** A backslash and the character it protects from Jdbi's parser, which drops the backslash. */
        ESCAPED,
        /** A single punctuation or operator character, or one of {@code ::} and {@code ??}. */
        SYMBOL
    }

    boolean isWord(String keyword) {
        return kind == Kind.WORD && text.equalsIgnoreCase(keyword);
    }

    boolean isSymbol(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    boolean isIdentifier() {
        return kind == Kind.WORD || kind == Kind.QUOTED;
    }

    boolean isParameter() {
        return kind == Kind.NAMED || kind == Kind.POSITIONAL;
    }

    /** The name that the database looks up: folded to lower case unless quoted. */
    String identifier() {
        if (kind == Kind.WORD) {
            return text.toLowerCase(Locale.ROOT);
        }
        if (text.startsWith("\"")) {
            return text.substring(1, text.length() - 1).replace("\"\"", "\"");
        }
        return unicode(text.substring(3, text.length() - 1).replace("\"\"", "\""));
    }

    /** Resolves {@code \XXXX} and {@code \+XXXXXX}; another escape character (UESCAPE) is refused by the scanner. */
    private static String unicode(String quoted) {
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < quoted.length(); i++) {
            char c = quoted.charAt(i);
            boolean doubled = quoted.startsWith("\\\\", i);
            int digits = c != '\\' || doubled ? 0 : quoted.startsWith("+", i + 1) ? 6 : 4;
            int from = digits == 6 ? i + 2 : i + 1;
            if (digits == 0 || from + digits > quoted.length()) {
                name.append(c);
                i += doubled ? 1 : 0;
                continue;
            }
            try {
                name.appendCodePoint(Integer.parseInt(quoted.substring(from, from + digits), 16));
            } catch (IllegalArgumentException e) {
                name.append(quoted, i, from + digits);
            }
            i = from + digits - 1;
        }
        return name.toString();
    }
}
