package io.github.fencedwrite.examples.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.jdbi.StaleTokenException;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OwnedStockIT {

    private final UUID a = UUID.randomUUID();
    private final UUID b = UUID.randomUUID();

    private Inventory inventory;
    private OwnedStock stock;

    @BeforeEach
    void start() {
        inventory = new Inventory();
        stock = inventory.jdbi.onDemand(OwnedStock.class);
    }

    @AfterEach
    void stop() {
        inventory.close();
    }

    @Test
    void losesNoSaleWhenEachSetsItsIdBeforeItReads() {
        int seenByA = stock.claim("4711", a);
        int seenByB = stock.claim("4711", b);

        assertThat(stock.set("4711", seenByB - 1, b)).isTrue();
        assertThat(stock.set("4711", seenByA - 1, a)).isFalse();
        assertThat(inventory.stock("owned_inventory")).isEqualTo(9);
    }

    /** A acquired its lock first and was paused before the claim; B holds the lock now. */
    @Test
    void letsTheOlderHolderTakeTheRowFromTheNewerOne() {
        int seenByB = stock.claim("4711", b);
        int seenByA = stock.claim("4711", a);

        assertThat(stock.set("4711", seenByB - 1, b)).isFalse();
        assertThat(stock.set("4711", seenByA - 5, a)).isTrue();
        assertThat(inventory.stock("owned_inventory")).isEqualTo(5);
    }

    @Test
    void tokensRefuseTheOlderHolderInTheSameSchedule() {
        FencingToken tokenOfA = FencingToken.of(33);
        FencingToken tokenOfB = FencingToken.of(34);
        int seenByB = inventory.stock.claim("4711", tokenOfB);

        assertThatThrownBy(() -> inventory.stock.claim("4711", tokenOfA)).isInstanceOf(StaleTokenException.class);
        inventory.stock.set("4711", seenByB - 1, tokenOfB);
        assertThat(inventory.stock("inventory")).isEqualTo(9);
    }
}
