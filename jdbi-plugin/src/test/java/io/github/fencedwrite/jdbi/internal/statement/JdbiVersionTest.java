package io.github.fencedwrite.jdbi.internal.statement;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class JdbiVersionTest {

    @ParameterizedTest
    @ValueSource(strings = {"3.0.0", "3.45.1", "3.52.0-SNAPSHOT"})
    void refusesOlderOnes(String version) {
        assertThatThrownBy(() -> JdbiVersion.require(version))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("needs Jdbi 3.53")
                .hasMessageContaining(version);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"3.53.0", "3.100.2", "4.0.0", "3.x"})
    void takesAllOthers(String version) {
        assertThatCode(() -> JdbiVersion.require(version)).doesNotThrowAnyException();
    }
}
