package io.github.fencedwrite.examples.chaos.worker;

import io.github.fencedwrite.examples.chaos.history.RowId;
import org.jdbi.v3.core.Jdbi;

/** Level 2, and 4 on a strict table: reads a row, decides, writes it; each statement on its own. */
final class Adjust implements Workload {

    private final String table;
    private final boolean strict;

    Adjust(String table, boolean strict) {
        this.table = table;
        this.strict = strict;
    }

    @Override
    public String name() {
        return "adjust " + table;
    }

    @Override
    public String resource(int number) {
        return table + ":" + number;
    }

    @Override
    public void perform(Task task) {
        RowId id = new RowId(table, String.valueOf(task.number()));
        long amount = task.amount() * (task.random().nextBoolean() ? 1 : -1);
        Jdbi jdbi = strict ? task.tools().announcing() : task.tools().jdbi();
        jdbi.useHandle(handle -> {
            task.begin(handle);
            Row row = task.guards()
                    .claim(Task.select(handle, id), task.lease())
                    .map(Row.of(table))
                    .one();
            task.pace().think(id, row.version());
            task.intend(row, amount);
            task.guards().writeClaimed(Task.update(handle, row, amount), task.lease());
        });
    }
}
