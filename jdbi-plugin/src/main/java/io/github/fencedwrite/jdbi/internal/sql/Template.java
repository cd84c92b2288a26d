package io.github.fencedwrite.jdbi.internal.sql;

import java.util.ArrayList;
import java.util.List;

/**
 * A statement whose parameters are still open: pieces of text, the user's parameters, and the token. Immutable and safe for
 * use by many threads.
 */
public final class Template {

    /** The name under which the token is bound wherever parameters have names. */
    public static final String TOKEN = "fencing_token__";

    private final List<Piece> pieces;

    private Template(List<Piece> pieces) {
        this.pieces = pieces;
    }

    private sealed interface Piece {}

    private record Text(String text) implements Piece {}

    /** A backslash and what it protects: Jdbi drops the former, other parsers need it. */
    private record Escaped(String text) implements Piece {}

    private record UserParameter(String text, int ordinal) implements Piece {}

    private record TokenParameter() implements Piece {}

    /**
     * One question mark of a JDBC statement.
     *
     * @param name the user's name for it, {@link #TOKEN} for the token, or {@code ?} if it has none
     * @param ordinal which of the user's parameters it is, from 1 in the order of the original text; 0 for the token
     */
    public record Slot(String name, int ordinal) {

        /** Whether the token belongs here. */
        public boolean isToken() {
            return ordinal == 0;
        }
    }

    /**
     * Text for JDBC.
     *
     * @param sql with question marks for parameters
     * @param slots what belongs to each of them, in their order
     */
    public record Rendered(String sql, List<Slot> slots) {}

    /** Writes each parameter as a question mark. */
    public Rendered forJdbc() {
        StringBuilder sql = new StringBuilder();
        List<Slot> slots = new ArrayList<>();
        for (Piece piece : pieces) {
            if (piece instanceof Text text) {
                sql.append(text.text);
            } else if (piece instanceof Escaped escaped) {
                sql.append(escaped.text, 1, escaped.text.length());
            } else if (piece instanceof UserParameter user) {
                sql.append('?');
                slots.add(new Slot(user.text.startsWith(":") ? user.text.substring(1) : "?", user.ordinal));
            } else {
                sql.append('?');
                slots.add(new Slot(TOKEN, 0));
            }
        }
        return new Rendered(sql.toString(), List.copyOf(slots));
    }

    /** Writes the user's parameters as they were, and the token as {@code tokenParameter}. */
    public String forParser(String tokenParameter) {
        StringBuilder sql = new StringBuilder();
        for (Piece piece : pieces) {
            if (piece instanceof Text text) {
                sql.append(text.text);
            } else if (piece instanceof Escaped escaped) {
                sql.append(escaped.text);
            } else if (piece instanceof UserParameter user) {
                sql.append(user.text);
            } else {
                sql.append(tokenParameter);
            }
        }
        return sql.toString();
    }

    /** Puts a template together from ranges of the original text and new text. Not safe for use by many threads. */
    static final class Builder {

        private final String source;
        private final List<Lexeme> special = new ArrayList<>();
        private final List<Integer> ordinals = new ArrayList<>();
        private final List<Piece> pieces = new ArrayList<>();

        Builder(String source, List<Lexeme> tokens) {
            this.source = source;
            int ordinal = 0;
            for (Lexeme token : tokens) {
                if (token.isParameter() || token.kind() == Lexeme.Kind.ESCAPED) {
                    special.add(token);
                    ordinals.add(token.isParameter() ? ++ordinal : 0);
                }
            }
        }

        /** Copies the original from offset {@code from} up to {@code to}, byte for byte apart from parameters. */
        Builder source(int from, int to) {
            int at = from;
            for (int i = firstFrom(from); i < special.size() && special.get(i).end() <= to; i++) {
                Lexeme token = special.get(i);
                text(source.substring(at, token.start()));
                pieces.add(
                        token.isParameter()
                                ? new UserParameter(token.text(), ordinals.get(i))
                                : new Escaped(token.text()));
                at = token.end();
            }
            return text(source.substring(at, to));
        }

        /** By halves, since an INSERT of many rows copies many ranges, each with a few of many parameters. */
        private int firstFrom(int offset) {
            int low = 0;
            int high = special.size();
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (special.get(middle).start() < offset) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }

        Builder text(String text) {
            if (!text.isEmpty()) {
                pieces.add(new Text(text));
            }
            return this;
        }

        Builder token() {
            pieces.add(new TokenParameter());
            return this;
        }

        Template build() {
            return new Template(List.copyOf(pieces));
        }
    }
}
