package io.github.fencedwrite.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OwnerIdTest {

    @Test
    void isShownAsTheNodesHaveIt() {
        assertThat(new OwnerId("0af3")).hasToString("0af3");
    }
}
