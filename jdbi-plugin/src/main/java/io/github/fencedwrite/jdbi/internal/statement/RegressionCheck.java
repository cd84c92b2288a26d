package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.StaleVerdict;
import io.github.fencedwrite.jdbi.WriteOutcome;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Asks the lock nodes about a refusal that a valid lease should not have met. */
public final class RegressionCheck {

    private RegressionCheck() {}

    /** The outcome as it was, or a regression if the nodes still answer for the lease and had lost their counters. */
    public static WriteOutcome ask(WriteOutcome outcome, @Nullable Lease lease) {
        return ask(List.of(outcome), row -> lease).get(0);
    }

    /**
     * As {@link #ask(WriteOutcome, Lease)}, for the rows of a batch. Each lease is asked once, about the greatest of the tokens:
     * the transaction waits meanwhile.
     *
     * @param leases the lease of a row, from 0; null if only its token is known
     */
    static List<WriteOutcome> ask(List<WriteOutcome> outcomes, IntFunction<@Nullable Lease> leases) {
        IdentityHashMap<Lease, FencingToken> greatest = new IdentityHashMap<>();
        for (int row = 0; row < outcomes.size(); row++) {
            Lease lease = leases.apply(row);
            if (outcomes.get(row) instanceof WriteOutcome.Stale stale
                    && stale.stored() != null
                    && lease != null
                    && lease.isValid()) {
                greatest.merge(lease, stale.stored(), (a, b) -> a.compareTo(b) > 0 ? a : b);
            }
        }
        if (greatest.isEmpty()) {
            return outcomes;
        }
        greatest.entrySet()
                .removeIf(asked -> asked.getKey().reportStale(asked.getValue().value()) != StaleVerdict.LIFTED);
        List<WriteOutcome> told = new ArrayList<>(outcomes);
        for (int row = 0; row < told.size(); row++) {
            Lease lease = leases.apply(row);
            if (told.get(row) instanceof WriteOutcome.Stale stale
                    && stale.stored() != null
                    && lease != null
                    && greatest.containsKey(lease)) {
                told.set(row, new WriteOutcome.Regression(stale.presented(), stale.stored()));
            }
        }
        return told;
    }
}
