package io.github.fencedwrite.examples.chaos.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Compares the database's history with what the workers meant and what they were told. For the whole:
 *
 * <ol>
 *   <li>each change rests on what its writer had read (no update lost), and is by a writer who meant it;
 *   <li>no row is written by a lower token after a higher one, and each write carries its writer's token;
 *   <li>no token of a resource was given twice;
 *   <li>what was acknowledged is there as a whole and once, what was refused is not, what is unknown is there as a whole or
 *       not at all;
 *   <li>the totals are what they should be ({@link Totals}).
 * </ol>
 */
public final class Checker {

    private final History history;
    private final Map<String, Operation> operations;
    private final List<String> faults = new ArrayList<>();
    private int lostUpdates;
    private int unacknowledgedPresent;

    private Checker(History history) {
        this.history = history;
        this.operations = history.operations().stream().collect(Collectors.toMap(Operation::id, Function.identity()));
    }

    /** Judges a history. */
    public static Verdict check(History history) {
        return new Checker(history).verdict();
    }

    private Verdict verdict() {
        history.writes().forEach(this::checkWrite);
        Map<String, List<Write>> changes =
                history.writes().stream().filter(Write::isChange).collect(Collectors.groupingBy(Write::operation));
        for (Operation operation : history.operations()) {
            checkOutcome(operation, changes.getOrDefault(operation.id(), List.of()));
        }
        Tokens tokens = new Tokens(history.operations(), faults);
        faults.addAll(Totals.faults(history, changes));
        return new Verdict(
                history.operations().size(),
                lostUpdates,
                tokens.inversions(history.writes()),
                tokens.duplicates(),
                unacknowledgedPresent,
                tokens.regressions(),
                faults);
    }

    private void checkWrite(Write write) {
        if (write.operation().equals(History.SETUP)) {
            return;
        }
        Operation writer = operations.get(write.operation());
        if (writer == null) {
            faults.add(write.row() + " was written by nobody: " + write);
            return;
        }
        if (write.token() != writer.token()) {
            faults.add(write.row() + " was written with another token than its writer's: " + write + " " + writer);
        }
        if (write.isChange()) {
            List<Intent> meant = writer.attempts().stream()
                    .flatMap(List::stream)
                    .filter(intent -> intent.means(write))
                    .toList();
            if (meant.isEmpty() || meant.stream().noneMatch(intent -> intent.restsOn(write))) {
                lostUpdates++;
                faults.add("an update was lost by " + write + " of " + writer);
            }
        }
    }

    private void checkOutcome(Operation operation, List<Write> changes) {
        switch (operation.told()) {
            case ACKNOWLEDGED -> {
                if (!Operation.isExactly(operation.lastAttempt(), changes)) {
                    faults.add("acknowledged, but not there as it was meant: " + operation + " " + changes);
                }
            }
            case REFUSED -> {
                if (!changes.isEmpty()) {
                    faults.add("refused, but there: " + operation + " " + changes);
                }
            }
            case UNKNOWN -> {
                if (!changes.isEmpty()) {
                    unacknowledgedPresent++;
                    if (operation.attemptThatIs(changes).isEmpty()) {
                        faults.add("unknown, and there in part or more than once: " + operation + " " + changes);
                    }
                }
            }
        }
    }
}
