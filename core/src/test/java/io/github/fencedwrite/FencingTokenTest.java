package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FencingTokenTest {

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void aTokenThatIsNotPositiveIsImpossible(long value) {
        assertThatThrownBy(() -> FencingToken.of(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Long.toString(value));
    }

    @Test
    void tokensCompareByNumber() {
        FencingToken older = FencingToken.of(9);
        FencingToken newer = FencingToken.of(10);
        assertThat(newer).isGreaterThan(older);
        assertThat(newer.isNewerThan(older)).isTrue();
        assertThat(older.isNewerThan(newer)).isFalse();
        assertThat(older.isNewerThan(older)).isFalse();
        assertThat(FencingToken.of(10)).isEqualTo(newer).hasToString("10");
    }
}
