package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What people are told, word by word, where no node is needed for it. */
class MessagesTest {

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final String FORGED = "a\n12:00:00 WARN Node\r\t\u001b[31m\u2028\u202e";
    private static final String SHOWN = "a\\n12:00:00 WARN Node\\r\\t\\u001b[31m\\u2028\\u202e";

    @Test
    void aNameCannotForgeALineOfALog() {
        try (InMemoryLocks locks = FencedLocks.inMemory(ManualClock.create())) {
            Lease lease = locks.acquire(FORGED, TTL, Duration.ZERO);
            assertThat(lease.resource()).isEqualTo(FORGED);
            assertThat(lease).hasToString("lease of \"" + SHOWN + "\" with token 1");
        }
        LockNotAcquiredException refused = new LockNotAcquiredException(
                "\"" + FORGED + "\" was not locked", FORGED, LockNotAcquiredException.Reason.CONTENDED, Map.of(), null);
        assertThat(refused).hasMessage("\"" + SHOWN + "\" was not locked");
        assertThat(refused.resource()).isEqualTo(FORGED);
        assertThat(new PoisonedTokenException(FORGED, 2, 1)).hasMessageContaining("for \"" + SHOWN + "\",");
        assertThat(LeaseRequest.of(FORGED, TTL)).hasToString("request for \"" + SHOWN + "\" with a ttl of PT10S");
    }

    @Test
    void aServersWordsCannotForgeALineOfALog() {
        assertThat(new NodeFailure(NodeFailure.Reason.OTHER, FORGED)).hasToString("OTHER (" + SHOWN + ")");
        Finding finding = new Finding(Finding.Kind.NODE_ERROR, Finding.Severity.WARNING, "host:1", FORGED, FORGED);
        assertThat(finding).hasToString("WARNING NODE_ERROR on host:1: " + SHOWN + " " + SHOWN);
    }

    @Test
    void whatIsReadableStaysAsItIs() {
        String readable = "sku:4711 \u00e9\u4e2d \ud83d\ude80 \\n \"quoted\"";
        assertThat(LeaseRequest.of(readable, TTL)).hasToString("request for \"" + readable + "\" with a ttl of PT10S");
    }

    @Test
    void whichOfSeveralAddressesIsBad() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FencedLocks.builder().nodes("redis://a", "redis://:s3cret@b:0", "redis://c"))
                .withMessageStartingWith("Address 2 of 3: A node's port is 1 to 65535, but this one is not.");
    }

    @Test
    void aDriftThatLeavesNothingIsRefusedWithBothNumbers() {
        FencedLocksBuilder builder =
                FencedLocks.builder().nodes("redis://127.0.0.1:1").drift(0.5, Duration.ofSeconds(1));
        assertThatIllegalStateException()
                .isThrownBy(() -> builder.maxTtl(Duration.ofSeconds(2)).build())
                .withMessage(
                        "No lease could be valid: the allowance for drift of PT2S (50.0 % and PT1S) leaves nothing of"
                                + " a ttl of PT2S. Use a longer ttl, or a smaller drift.");
        try (FencedLocks locks = builder.maxTtl(Duration.ofSeconds(3))
                .preflight(PreflightMode.OFF)
                .build()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> locks.tryAcquire("r", Duration.ofMillis(1_999)))
                    .withMessage(
                            "No lease could be valid: the allowance for drift of PT1.9995S (50.0 % and PT1S) leaves"
                                    + " nothing of a ttl of PT1.999S. Use a longer ttl, or a smaller drift.");
        }
    }
}
