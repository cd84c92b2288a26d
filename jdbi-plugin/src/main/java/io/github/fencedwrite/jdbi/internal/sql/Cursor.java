package io.github.fencedwrite.jdbi.internal.sql;

import java.util.List;

/** A place in a list of tokens, moving forward. Not safe for use by many threads. */
final class Cursor {

    private final List<Lexeme> tokens;
    private final Lexeme end;
    private int at;

    /** Begins at the first token; {@code length} is the offset that the end of the text has. */
    Cursor(List<Lexeme> tokens, int length) {
        this.tokens = tokens;
        this.end = new Lexeme(Lexeme.Kind.SYMBOL, "", length, length, 0);
    }

    int index() {
        return at;
    }

    void moveTo(int index) {
        at = index;
    }

    boolean atEnd() {
        return at >= tokens.size();
    }

    Lexeme peek() {
        return token(at);
    }

    /** The token at {@code index}; an empty symbol behind the last. */
    Lexeme token(int index) {
        return index >= 0 && index < tokens.size() ? tokens.get(index) : end;
    }

    Lexeme next() {
        Lexeme token = peek();
        at++;
        return token;
    }

    boolean acceptWord(String keyword) {
        if (peek().isWord(keyword)) {
            at++;
            return true;
        }
        return false;
    }

    boolean acceptSymbol(String symbol) {
        if (peek().isSymbol(symbol)) {
            at++;
            return true;
        }
        return false;
    }

    /** The index of the partner of the opening parenthesis at {@code index}. */
    int partnerOf(int index) {
        int depth = token(index).depth();
        int partner = index + 1;
        while (token(partner).depth() > depth) {
            partner++;
        }
        return partner;
    }

    /**
     * The first of the keywords that begins a clause of the statement itself, from {@code from} on; the number of tokens if
     * there is none. What follows a dot or AS is a name, and the FROM of IS DISTINCT FROM begins nothing.
     */
    int clause(int from, String... keywords) {
        for (int i = from; i < tokens.size(); i++) {
            Lexeme token = tokens.get(i);
            if (token.depth() != 0 || token.kind() != Lexeme.Kind.WORD) {
                continue;
            }
            Lexeme before = token(i - 1);
            if (before.isSymbol(".") || before.isWord("AS") || (before.isWord("DISTINCT") && token.isWord("FROM"))) {
                continue;
            }
            for (String keyword : keywords) {
                if (token.isWord(keyword)) {
                    return i;
                }
            }
        }
        return tokens.size();
    }
}
