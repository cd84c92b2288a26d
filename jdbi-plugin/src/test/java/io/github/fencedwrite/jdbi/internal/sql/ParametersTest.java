package io.github.fencedwrite.jdbi.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ParametersTest {

    @Test
    void countsFromTheBeginningOfTheStatement() {
        List<Lexeme> tokens = Scanner.scan(":a = :b AND :c", ParameterStyle.JDBI);
        assertThat(Parameters.between(tokens, 0, tokens.size())).containsExactly(1, 2, 3);
        assertThat(Parameters.between(tokens, 2, 4)).containsExactly(2);
        assertThat(Parameters.between(tokens, 2, 2)).isEmpty();
    }
}
