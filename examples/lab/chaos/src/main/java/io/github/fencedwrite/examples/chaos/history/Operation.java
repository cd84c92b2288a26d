package io.github.fencedwrite.examples.chaos.history;

import java.util.List;
import java.util.Optional;

/**
 * One operation under one lease, by the worker's journal.
 *
 * @param id unique over all workers
 * @param resource what was locked
 * @param token the token of the lease
 * @param begun when the lock was asked for, on the machine's monotonic clock in nanoseconds
 * @param acquired when it was had
 * @param attempts what was meant, for each time that the work was begun; the last one is what was acknowledged
 * @param told the end
 * @param detail the name of the outcome, for statistics
 */
public record Operation(
        String id,
        String resource,
        long token,
        long begun,
        long acquired,
        List<List<Intent>> attempts,
        Told told,
        String detail) {

    /** What was acknowledged, if the operation was. */
    public List<Intent> lastAttempt() {
        return attempts.isEmpty() ? List.of() : attempts.get(attempts.size() - 1);
    }

    /** The attempt that {@code changes} are: all of it, in one transaction, and nothing else. */
    Optional<List<Intent>> attemptThatIs(List<Write> changes) {
        return attempts.stream().filter(attempt -> isExactly(attempt, changes)).findFirst();
    }

    static boolean isExactly(List<Intent> attempt, List<Write> changes) {
        boolean oneTransaction = changes.stream().map(Write::xact).distinct().count() <= 1;
        return oneTransaction
                && attempt.size() == changes.size()
                && attempt.stream()
                        .allMatch(
                                intent -> changes.stream().filter(intent::means).count() == 1);
    }
}
