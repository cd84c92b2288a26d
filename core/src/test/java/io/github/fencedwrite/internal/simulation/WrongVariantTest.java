package io.github.fencedwrite.internal.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each way to get the protocol wrong breaks the promise that it should, soon. A check that cannot fail proves nothing. */
class WrongVariantTest {

    private static final int SCHEDULES = 20_000;

    private final long seed = Long.getLong("seed", 0) == 0 ? System.nanoTime() : Long.getLong("seed");

    @ParameterizedTest
    @CsvSource({
        "MAX_WITHOUT_BALLOT, the same token",
        "UNCONDITIONAL_RAISE, the same token",
        "NO_RUN_ID, is not above that of",
        "NO_SEED, is not above that of",
        "NO_LIFT_TO_ALL, was never lifted",
        "RELEASE_ON_ANOTHER_CONNECTION, still has the lock",
        "RELEASE_ONCE, still has the lock",
        "RELEASE_WITHOUT_OWNER_CHECK, deleted the lock of the valid lease",
        "QUORUM_OF_REACHABLE_NODES, two valid leases",
        "OWNER_ID_REUSED, deleted the lock of the valid lease",
        "EXTENSION_COUNTS_RELOCKED_NODES, not by a quorum of nodes that still had its lock",
        "VALIDITY_ON_WALL_CLOCK, valid for longer than a quorum holds its lock",
        "NO_DRIFT_ALLOWANCE, valid for longer than a quorum holds its lock",
        "NO_QUARANTINE, two valid leases",
        "TOP_UP_AFTER_RELEASE, still has the lock",
        "LOCK_BEFORE_COUNTER, still has the lock"
    })
    void isFoundWrong(Variant variant, String brokenPromise) {
        System.out.println("wrong variant: seed " + seed);

        assertThat(new Campaign(variant).firstFault(seed, SCHEDULES, brokenPromise))
                .isPresent();
    }
}
