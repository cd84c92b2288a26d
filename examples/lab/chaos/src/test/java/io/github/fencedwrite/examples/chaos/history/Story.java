package io.github.fencedwrite.examples.chaos.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A history made by hand; the rows at the end follow from the writes unless a test says otherwise. */
final class Story {

    static final String RESOURCE = "stock:1";
    static final RowId STOCK = new RowId("stock", "1");

    final Map<RowId, State> end = new HashMap<>();
    private final List<Write> writes = new ArrayList<>();
    private final List<Operation> operations = new ArrayList<>();
    private long clock;

    Story() {
        write(History.SETUP, 0, STOCK, null, new State(1, 10));
    }

    /** The row changes, or is claimed, in a transaction that is called like the operation. */
    Story write(String operation, long token, RowId row, State before, State after) {
        return writeIn(operation, operation, token, row, before, after);
    }

    Story writeIn(String xact, String operation, long token, RowId row, State before, State after) {
        writes.add(new Write(row, xact, operation, token, before, after));
        if (after == null) {
            end.remove(row);
        } else {
            end.put(row, after);
        }
        return this;
    }

    /** Somebody acquires, means to do something, and is told something, one after the other. */
    Story operation(String id, long token, Told told, Intent... meant) {
        clock += 10;
        return acquired(id, token, clock, clock + 5, told, meant);
    }

    Story acquired(String id, long token, long begun, long acquired, Told told, Intent... meant) {
        operations.add(new Operation(id, RESOURCE, token, begun, acquired, List.of(List.of(meant)), told, ""));
        return this;
    }

    /** The work was begun twice. */
    Story repeated(String id, long token, Told told, List<Intent> first, List<Intent> second) {
        clock += 10;
        operations.add(new Operation(id, RESOURCE, token, clock, clock + 5, List.of(first, second), told, ""));
        return this;
    }

    static Intent meant(RowId row, long readVersion, long delta) {
        return new Intent(row, readVersion, delta);
    }

    Verdict verdict(String... book) {
        List<Set<String>> books = book.length == 0 ? List.of() : List.of(Set.of(book));
        return Checker.check(new History(writes, operations, end, books));
    }
}
