package io.github.fencedwrite.examples.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.jdbi.StaleTokenException;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DatabaseTokensIT {

    private static final long MINUTE = 60_000;

    private Inventory inventory;
    private LeaseTable leases;
    private TokenSequence sequence;

    @BeforeEach
    void start() {
        inventory = new Inventory();
        leases = inventory.jdbi.onDemand(LeaseTable.class);
        leases.create();
        sequence = inventory.jdbi.onDemand(TokenSequence.class);
        sequence.create();
    }

    @AfterEach
    void stop() {
        inventory.close();
    }

    @Test
    void aLeaseTableRefusesAHolderWhoseLeaseRanOut() {
        FencingToken a = leases.tryAcquire("sku:4711", 50).orElseThrow();
        AtomicReference<FencingToken> b = new AtomicReference<>();
        Awaitility.await().until(() -> {
            leases.tryAcquire("sku:4711", MINUTE).ifPresent(b::set);
            return b.get() != null;
        });

        inventory.refusesTheFirstOf(a, b.get());
        assertThat(leases.release("sku:4711", a)).isFalse();
        assertThat(leases.tryAcquire("sku:4711", MINUTE)).isEmpty();
    }

    @Test
    void aLeaseTableGivesAGreaterTokenAfterEachRelease() {
        FencingToken first = leases.tryAcquire("sku:4711", MINUTE).orElseThrow();
        assertThat(leases.tryAcquire("sku:4711", MINUTE)).isEmpty();
        assertThat(leases.release("sku:4711", first)).isTrue();

        assertThat(leases.tryAcquire("sku:4711", MINUTE).orElseThrow().isNewerThan(first))
                .isTrue();
    }

    @Test
    void aSequenceRefusesWhoDrewEarlier() {
        inventory.refusesTheFirstOf(sequence.next(), sequence.next());
    }

    /** A was paused between the lock and the draw, so its token is the newer one. It reads afterwards: no sale is lost. */
    @Test
    void aLateDrawMakesTheOtherHolderTheStaleOne() {
        FencingToken b = sequence.next();
        assertThat(inventory.stock.claim("4711", b)).isEqualTo(10);
        FencingToken a = sequence.next();
        int seenByA = inventory.stock.claim("4711", a);

        assertThatThrownBy(() -> inventory.stock.set("4711", 9, b)).isInstanceOf(StaleTokenException.class);
        inventory.stock.set("4711", seenByA - 1, a);
        assertThat(inventory.stock("inventory")).isEqualTo(9);
    }

    /** The order that {@link TokenSequence} warns of: what A read is older than its token says. */
    @Test
    void losesASaleThatWasReadBeforeTheDraw() {
        int seenByA = inventory.stock("inventory");
        FencingToken b = sequence.next();
        inventory.stock.set("4711", inventory.stock.claim("4711", b) - 1, b);
        FencingToken a = sequence.next();
        inventory.stock.claim("4711", a);
        inventory.stock.set("4711", seenByA - 1, a);

        assertThat(inventory.stock("inventory")).isEqualTo(9); // two were sold
    }

    @Test
    void aCachedSequenceHandsTokensOutOfOrder() {
        inventory.jdbi.useHandle(handle -> handle.execute("ALTER SEQUENCE fencing_token CACHE 10"));
        try (Handle one = inventory.jdbi.open();
                Handle two = inventory.jdbi.open()) {
            one.attach(TokenSequence.class).next();
            FencingToken earlier = two.attach(TokenSequence.class).next();
            FencingToken later = one.attach(TokenSequence.class).next();

            assertThat(earlier.isNewerThan(later)).isTrue();
        }
    }
}
