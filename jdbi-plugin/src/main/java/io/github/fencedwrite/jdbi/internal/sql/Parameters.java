package io.github.fencedwrite.jdbi.internal.sql;

import java.util.ArrayList;
import java.util.List;

/** Numbers the parameters of a statement from 1, in the order of its text, and finds those that say which rows are meant. */
final class Parameters {

    private Parameters() {}

    /**
     * Refuses parameters with and without names in one statement, as Jdbi does: where one of them belongs could only be guessed.
     */
    static void refuseMixed(List<Lexeme> tokens) {
        Lexeme.Kind first = null;
        for (Lexeme token : tokens) {
            if (token.isParameter() && first != null && token.kind() != first) {
                throw new Refusal(
                        token.start(),
                        "named and positional parameters are mixed",
                        "Name all of them or none, and write ?? for the operator ?");
            }
            first = token.isParameter() ? token.kind() : first;
        }
    }

    /** The parameters from token {@code from} up to token {@code to}. */
    static List<Integer> between(List<Lexeme> tokens, int from, int to) {
        List<Integer> ordinals = new ArrayList<>();
        int ordinal = 0;
        for (int i = 0; i < to; i++) {
            if (tokens.get(i).isParameter()) {
                ordinal++;
                if (i >= from) {
                    ordinals.add(ordinal);
                }
            }
        }
        return List.copyOf(ordinals);
    }

    /** The parameters in the values of {@code columns}, in the first row of an INSERT. */
    static List<Integer> of(List<Lexeme> tokens, Insert insert, List<String> columns) {
        List<Integer> ordinals = new ArrayList<>();
        int ordinal = 0;
        for (Lexeme token : tokens) {
            if (token.isParameter()) {
                ordinal++;
                for (String column : columns) {
                    Insert.Range value = insert.value(0, column);
                    if (value != null && token.start() >= value.from() && token.end() <= value.to()) {
                        ordinals.add(ordinal);
                    }
                }
            }
        }
        return List.copyOf(ordinals);
    }
}
