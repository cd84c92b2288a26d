package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What both kinds of locks refuse, and how the ones in memory lock several resources. */
class AcquireAllTest {

    private static final Duration TTL = Duration.ofSeconds(10);

    private final ManualClock clock = ManualClock.create();
    private final InMemoryLocks locks = FencedLocks.inMemory(clock);

    @Test
    void eachResourceHasALeaseWithATokenOfItsOwn() {
        locks.acquire("b", TTL, Duration.ZERO).close();
        try (Leases leases = locks.acquireAll(List.of("b", "a"), TTL, Duration.ZERO)) {
            assertThat(leases).extracting(Lease::resource).containsExactly("a", "b");
            assertThat(leases.of("a").token().value()).isEqualTo(1);
            assertThat(leases.of("b").token().value()).isEqualTo(2);
            assertThat(leases.isValid()).isTrue();
            assertThat(leases.remaining()).isEqualTo(TTL);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> leases.of("c"))
                    .withMessage("\"c\" is none of the 2 resources that were locked together.");
            leases.of("a").close();
            assertThat(leases.isValid()).isFalse();
            assertThat(leases.remaining()).isZero();
        }
        assertThat(locks.tryAcquireAll(List.of("a", "b"), TTL)).isPresent();
    }

    @Test
    void takesAllOrNone() {
        Lease other = locks.acquire("b", TTL, Duration.ZERO);
        assertThat(locks.tryAcquireAll(List.of("a", "b", "c"), TTL)).isEmpty();
        assertThatThrownBy(() -> locks.acquireAll(List.of("a", "b", "c"), TTL, Duration.ofSeconds(1)))
                .isInstanceOfSatisfying(
                        LockNotAcquiredException.class,
                        e -> assertThat(e.resource()).isEqualTo("b"))
                .hasMessageEndingWith("It is one of 3 resources to be locked together, so none of them is.");
        assertThat(locks.tryAcquire("a", TTL)).hasValueSatisfying(Lease::close);
        assertThat(locks.tryAcquire("c", TTL)).hasValueSatisfying(Lease::close);
        other.close();
        assertThat(locks.tryAcquireAll(List.of("a", "b", "c"), TTL)).isPresent();
    }

    @Test
    void refusesNoResourceTooManyAndTheSameTwice() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> locks.acquireAll(List.of(), TTL, TTL))
                .withMessage("1 to 100 resources are locked together, but here are 0.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> locks.acquireAll(names(101), TTL, TTL))
                .withMessage("1 to 100 resources are locked together, but here are 101.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> locks.acquireAll(List.of("a\n", "b", "a\n"), TTL, TTL))
                .withMessage("\"a\\n\" is named twice among the resources to be locked together. Name each once.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> locks.acquireAll(List.of("a", ""), TTL, TTL))
                .withMessageContaining("this one is empty");
        assertThat(locks.tryAcquire("a", TTL)).isPresent();
        assertThat(locks.tryAcquireAll(names(100), TTL)).isPresent();
    }

    private static List<String> names(int count) {
        List<String> names = new ArrayList<>(
                IntStream.range(0, count).mapToObj(i -> "name-" + i).toList());
        Collections.reverse(names);
        return names;
    }
}
