package io.github.fencedwrite.examples.chaos.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Whether the tables contain what they should at the end: each row what its history says, without a gap; each table the sum
 * of what was meant by those who were acknowledged and those of unknown outcome who are there; and books balance.
 */
final class Totals {

    private Totals() {}

    static List<String> faults(History history, Map<String, List<Write>> changes) {
        List<String> faults = new ArrayList<>();
        addBrokenChains(history, faults);
        addWrongSums(history, changes, faults);
        addUnbalancedBooks(history, faults);
        return faults;
    }

    private static void addBrokenChains(History history, List<String> faults) {
        Map<RowId, State> now = new HashMap<>();
        for (Write write : history.writes()) {
            State before = now.get(write.row());
            if (before == null ? write.before() != null : !before.equals(write.before())) {
                faults.add(write.row() + " changed without a trace from " + before + " before " + write);
            }
            if (write.after() == null) {
                now.remove(write.row());
            } else {
                now.put(write.row(), write.after());
            }
        }
        if (!now.equals(history.end())) {
            Set<Map.Entry<RowId, State>> differences = new HashSet<>(now.entrySet());
            differences.removeAll(history.end().entrySet());
            faults.add("the rows at the end are not what was written last: " + differences + ", " + history.end());
        }
    }

    private static void addWrongSums(History history, Map<String, List<Write>> changes, List<String> faults) {
        Map<String, Long> expected = new TreeMap<>();
        for (Write write : history.writes()) {
            if (write.operation().equals(History.SETUP)) {
                expected.merge(write.row().table(), write.delta(), Long::sum);
            }
        }
        for (Operation operation : history.operations()) {
            List<Intent> counts = switch (operation.told()) {
                case ACKNOWLEDGED -> operation.lastAttempt();
                case UNKNOWN ->
                    operation
                            .attemptThatIs(changes.getOrDefault(operation.id(), List.of()))
                            .orElse(List.of());
                case REFUSED -> List.of();
            };
            counts.forEach(intent -> expected.merge(intent.row().table(), intent.delta(), Long::sum));
        }
        Map<String, Long> found = sums(history);
        Set<String> tables = new TreeSet<>(expected.keySet());
        tables.addAll(found.keySet());
        for (String table : tables) {
            long should = expected.getOrDefault(table, 0L);
            long is = found.getOrDefault(table, 0L);
            if (should != is) {
                faults.add("the total of " + table + " is " + is + " and should be " + should);
            }
        }
    }

    private static void addUnbalancedBooks(History history, List<String> faults) {
        Map<String, Long> found = sums(history);
        for (Set<String> book : history.books()) {
            long first = history.writes().stream()
                    .filter(write -> write.operation().equals(History.SETUP)
                            && book.contains(write.row().table()))
                    .mapToLong(Write::delta)
                    .sum();
            long last = book.stream()
                    .mapToLong(table -> found.getOrDefault(table, 0L))
                    .sum();
            if (first != last) {
                faults.add("the book " + new TreeSet<>(book) + " began with " + first + " and ends with " + last);
            }
        }
    }

    private static Map<String, Long> sums(History history) {
        Map<String, Long> sums = new HashMap<>();
        history.end().forEach((row, state) -> sums.merge(row.table(), state.value(), Long::sum));
        return sums;
    }
}
