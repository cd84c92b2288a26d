package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.StaleVerdict;
import io.github.fencedwrite.jdbi.WriteOutcome;
import org.jspecify.annotations.Nullable;

/** Asks the lock nodes about a refusal that a valid lease should not have met. */
public final class RegressionCheck {

    private RegressionCheck() {}

    /** The outcome as it was, or a regression if the nodes still answer for the lease and had lost their counters. */
    public static WriteOutcome ask(WriteOutcome outcome, @Nullable Lease lease) {
        if (outcome instanceof WriteOutcome.Stale stale
                && stale.stored() != null
                && lease != null
                && lease.isValid()
                && lease.reportStale(stale.stored().value()) == StaleVerdict.LIFTED) {
            return new WriteOutcome.Regression(stale.presented(), stale.stored());
        }
        return outcome;
    }
}
