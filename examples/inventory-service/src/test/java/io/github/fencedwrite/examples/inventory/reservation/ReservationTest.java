package io.github.fencedwrite.examples.inventory.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.examples.inventory.RejectedException;
import io.github.fencedwrite.examples.inventory.stock.Quantity;
import io.github.fencedwrite.examples.inventory.stock.StockKey;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ReservationTest {

    private static final Instant END = Instant.parse("2026-12-01T12:00:00Z");
    private static final Instant BEFORE = END.minusNanos(1);

    private final Reservation pending = Reservation.pending(new StockKey("berlin", "4711"), new Quantity(3), END);

    @Test
    void isConfirmedUntilItsTimeHasRunOut() {
        assertThat(pending.confirmed(BEFORE).state()).isEqualTo(ReservationState.CONFIRMED);
        assertThatThrownBy(() -> pending.confirmed(END)).isInstanceOf(RejectedException.class);
    }

    @Test
    void expiresFromThenOn() {
        assertThat(pending.expired(BEFORE)).isEqualTo(pending);
        assertThat(pending.expired(END).state()).isEqualTo(ReservationState.EXPIRED);
        assertThat(pending.confirmed(BEFORE).expired(END).state()).isEqualTo(ReservationState.CONFIRMED);
    }

    @Test
    void repeatingIsHarmless() {
        Reservation confirmed = pending.confirmed(BEFORE);
        assertThat(confirmed.confirmed(END)).isEqualTo(confirmed);
        assertThat(pending.cancelled().cancelled()).isEqualTo(pending.cancelled());
    }

    @Test
    void whatIsDoneStaysDone() {
        assertThatThrownBy(() -> pending.confirmed(BEFORE).cancelled()).hasMessageContaining("CONFIRMED");
        assertThatThrownBy(() -> pending.cancelled().confirmed(BEFORE)).hasMessageContaining("CANCELLED");
        assertThatThrownBy(() -> pending.expired(END).cancelled()).hasMessageContaining("EXPIRED");
    }
}
