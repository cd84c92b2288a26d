package io.github.fencedwrite.examples.chaos.history;

import java.util.List;

/**
 * What the checker found.
 *
 * @param operations how many operations had a lease
 * @param lostUpdates writes that rest on what the row did not contain any more
 * @param tokenInversions writes of a row by a lower token than an earlier one's
 * @param duplicateTokens acquisitions that were given a token which another one of the same resource has
 * @param unacknowledgedPresent operations of unknown outcome that are in the database
 * @param tokenRegressions acquisitions that were given a lower token than one that was complete before they began; those may
 *     happen when too many nodes forget, and are no fault by themselves
 * @param faults all that must not be, one line each
 */
public record Verdict(
        int operations,
        int lostUpdates,
        int tokenInversions,
        int duplicateTokens,
        int unacknowledgedPresent,
        int tokenRegressions,
        List<String> faults) {

    /** Whether every promise was kept. */
    public boolean isClean() {
        return faults.isEmpty();
    }
}
