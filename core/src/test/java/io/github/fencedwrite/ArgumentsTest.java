package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The last good and the first bad value of every argument of an acquisition. */
class ArgumentsTest {

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final LeaseRequest REQUEST = LeaseRequest.of("r", TTL);
    private static final Consumer<Lease> CALLBACK = lease -> {};

    private final Arguments arguments = new Arguments(Duration.ofSeconds(30), Duration.ofHours(1));

    @Test
    void aRequestWithoutExtrasIsNotRenewed() {
        assertThat(arguments.spec(REQUEST, Duration.ZERO)).satisfies(spec -> {
            assertThat(spec.resource()).isEqualTo("r");
            assertThat(spec.ttlMillis()).isEqualTo(10_000);
            assertThat(spec.waitNanos()).isZero();
            assertThat(spec.lifetimeNanos()).isZero();
            assertThat(spec.dangerNanos()).isZero();
        });
    }

    @ParameterizedTest
    @CsvSource({"PT0.01S, 10", "PT0.0109S, 10", "PT30S, 30000"})
    void aTtlWithinItsRangeCountsInWholeMilliseconds(Duration ttl, long millis) {
        assertThat(arguments.spec(LeaseRequest.of("r", ttl), Duration.ZERO).ttlMillis())
                .isEqualTo(millis);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.009999999S", "PT30.000000001S"})
    void aTtlJustOutsideItsRangeIsRefused(Duration ttl) {
        refuses(LeaseRequest.of("r", ttl), "10 ms to 30000 ms");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT0.000000001S", "PT24H"})
    void aWaitWithinItsRangeCountsInNanoseconds(Duration wait) {
        assertThat(arguments.spec(REQUEST, wait).waitNanos()).isEqualTo(wait.toNanos());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.000000001S", "PT24H0.000000001S"})
    void aWaitJustOutsideItsRangeIsRefused(Duration wait) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> arguments.spec(REQUEST, wait))
                .withMessageContaining("0 (one attempt) to 24 hours");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT10S", "PT1H"})
    void aLifetimeIsNoneOrFromTheTtlToTheLargest(Duration lifetime) {
        assertThat(arguments.spec(REQUEST.renewFor(lifetime), Duration.ZERO).lifetimeNanos())
                .isEqualTo(lifetime.toNanos());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-10S", "PT0.000000001S", "PT9.999999999S", "PT1H0.000000001S"})
    void aLifetimeJustOutsideItsRangeIsRefused(Duration lifetime) {
        refuses(REQUEST.renewFor(lifetime), "for its ttl (PT10S) to PT1H");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.000000001S", "PT9.999999999S"})
    void anExpiryWarningIsAboveZeroAndBelowTheTtl(Duration zone) {
        assertThat(arguments
                        .spec(REQUEST.onExpiring(zone, CALLBACK), Duration.ZERO)
                        .dangerNanos())
                .isEqualTo(zone.toNanos());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.000000001S", "PT0S", "PT10S"})
    void anExpiryWarningJustOutsideItsRangeIsRefused(Duration zone) {
        refuses(REQUEST.onExpiring(zone, CALLBACK), "less than the ttl (PT10S)");
    }

    @ParameterizedTest
    @MethodSource
    void aResourceWithinItsRangeIsTakenAsItIs(String resource) {
        assertThat(arguments.spec(LeaseRequest.of(resource, TTL), Duration.ZERO).resource())
                .isEqualTo(resource);
    }

    static Stream<String> aResourceWithinItsRangeIsTakenAsItIs() {
        return Stream.of("x", " ", "a".repeat(1_024), "\u00e9".repeat(512), "\ud83d\ude80".repeat(256));
    }

    @ParameterizedTest
    @MethodSource
    void aResourceJustOutsideItsRangeIsRefused(String resource, String why) {
        refuses(LeaseRequest.of(resource, TTL), why);
    }

    static Stream<Object[]> aResourceJustOutsideItsRangeIsRefused() {
        return Stream.of(
                new Object[] {"", "this one is empty"},
                new Object[] {"a".repeat(1_025), "this one has 1025"},
                new Object[] {"\u00e9".repeat(512) + "a", "this one has 1025"},
                new Object[] {"\0a", "at index 0"},
                new Object[] {"a\0", "at index 1"},
                new Object[] {"\ud83d", "half of a surrogate pair"});
    }

    /** Whoever locks several resources in the order of their names cannot block another one who does so, too. */
    @Test
    void severalRequestsAreSortedByTheirResources() {
        List<LeaseRequest> requests =
                Stream.of("b", "c", "a").map(name -> LeaseRequest.of(name, TTL)).toList();
        assertThat(arguments.specs(requests, Duration.ZERO))
                .extracting(spec -> spec.resource())
                .containsExactly("a", "b", "c");
    }

    private void refuses(LeaseRequest request, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> arguments.spec(request, Duration.ZERO))
                .withMessageContaining(why);
    }
}
