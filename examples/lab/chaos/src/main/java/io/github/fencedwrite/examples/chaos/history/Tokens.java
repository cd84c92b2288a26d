package io.github.fencedwrite.examples.chaos.history;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.Collectors;

/** Order and uniqueness of tokens: those that rows were written with, and those that were handed out. */
final class Tokens {

    private final Map<String, Operation> operations;
    private final Map<String, List<Operation>> byResource;
    private final List<String> faults;

    /** What is found is added to {@code faults}. */
    Tokens(List<Operation> operations, List<String> faults) {
        this.faults = faults;
        this.operations = operations.stream().collect(Collectors.toMap(Operation::id, operation -> operation));
        this.byResource = operations.stream().collect(Collectors.groupingBy(Operation::resource));
    }

    /** Counts writes by a lower token than an earlier write's of the same row, claims and deleted rows included. */
    int inversions(List<Write> writes) {
        Map<RowId, Long> highest = new HashMap<>();
        int inversions = 0;
        for (Write write : writes) {
            Operation writer = operations.get(write.operation());
            if (writer != null) {
                long before = highest.merge(write.row(), writer.token(), Math::max);
                if (writer.token() < before) {
                    inversions++;
                    faults.add("a lower token after " + before + ": " + write + " of " + writer);
                }
            }
        }
        return inversions;
    }

    int duplicates() {
        int duplicates = 0;
        for (List<Operation> ofResource : byResource.values()) {
            Map<Long, Operation> given = new HashMap<>();
            for (Operation operation : ofResource) {
                Operation other = given.putIfAbsent(operation.token(), operation);
                if (other != null) {
                    duplicates++;
                    faults.add("a token was given twice: " + other + " " + operation);
                }
            }
        }
        return duplicates;
    }

    /** Counts acquisitions whose token is not above that of each one that was complete before they began. */
    int regressions() {
        return byResource.values().stream().mapToInt(Tokens::regressions).sum();
    }

    private static int regressions(List<Operation> ofResource) {
        List<Operation> byBegin = ofResource.stream()
                .sorted(Comparator.comparingLong(Operation::begun))
                .toList();
        PriorityQueue<Operation> byEnd = new PriorityQueue<>(Comparator.comparingLong(Operation::acquired));
        long highestComplete = 0;
        int regressions = 0;
        for (Operation operation : byBegin) {
            while (!byEnd.isEmpty() && byEnd.peek().acquired() < operation.begun()) {
                highestComplete = Math.max(highestComplete, byEnd.remove().token());
            }
            if (operation.token() <= highestComplete) {
                regressions++;
            }
            byEnd.add(operation);
        }
        return regressions;
    }
}
