package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.examples.servers.RandomInputs;
import java.util.List;
import java.util.SplittableRandom;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;

/** Any number is a token or refused; of any two tokens the database lets the right one pass, and the outcome says which. */
class StrangeTokensIT {

    private static final List<Long> EDGES = List.of(
            1L,
            2L,
            9L,
            10L,
            99L,
            100L,
            (1L << 31) - 1,
            1L << 31,
            (1L << 32) + 1,
            (1L << 53) - 1,
            1L << 53,
            (1L << 53) + 1,
            Long.MAX_VALUE - 1,
            Long.MAX_VALUE);

    @Test
    void meetInTheOrderOfTheirNumbers() throws InterruptedException {
        try (InventoryFixture inventory = new InventoryFixture();
                Handle handle = inventory.jdbi.open()) {
            RandomInputs.forEach("StrangeTokensIT", 1_000, random -> {
                long number = random.nextInt(8) == 0 ? -random.nextLong(Long.MAX_VALUE) : token(random);
                if (number <= 0) {
                    assertThatThrownBy(() -> FencingToken.of(number)).isInstanceOf(IllegalArgumentException.class);
                    return;
                }
                long stored = random.nextInt(5) == 0 ? number : random.nextInt(9) == 0 ? 0 : token(random);
                FenceMode mode = random.nextBoolean() ? FenceMode.FIRST : FenceMode.CLAIMED;
                handle.execute("UPDATE inventory SET stock = 0, last_token = ? WHERE sku = '4711'", stored);

                WriteOutcome outcome = Fencing.row("inventory")
                        .key("sku", "4711")
                        .set("stock", 1)
                        .mode(mode)
                        .update(handle, FencingToken.of(number));

                WriteOutcome expected = expected(mode, stored, number);
                assertThat(outcome).as("%s: %s meets %s", mode, number, stored).isEqualTo(expected);
                int stock = handle.createQuery("SELECT stock FROM inventory WHERE sku = '4711'")
                        .mapTo(Integer.class)
                        .one();
                assertThat(stock).isEqualTo(expected.isApplied() ? 1 : 0);
            });
        }
    }

    private static WriteOutcome expected(FenceMode mode, long stored, long number) {
        FencingToken token = FencingToken.of(number);
        if (stored > number) {
            return new WriteOutcome.Stale(token, FencingToken.of(stored));
        } else if (mode == FenceMode.FIRST) {
            return stored == number ? new WriteOutcome.AlreadyWritten(token) : new WriteOutcome.Applied(1);
        }
        return stored == number ? new WriteOutcome.Applied(1) : new WriteOutcome.NotClaimed(token, stored);
    }

    private static long token(SplittableRandom random) {
        return random.nextBoolean() ? EDGES.get(random.nextInt(EDGES.size())) : random.nextLong(1, Long.MAX_VALUE);
    }
}
