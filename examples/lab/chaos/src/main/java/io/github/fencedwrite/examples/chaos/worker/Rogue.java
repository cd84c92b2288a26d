package io.github.fencedwrite.examples.chaos.worker;

import io.github.fencedwrite.examples.chaos.history.Intent;
import io.github.fencedwrite.examples.chaos.history.RowId;

/** Level 4: a program that knows nothing of tokens writes a strict table, and must be refused by the database itself. */
final class Rogue implements Workload {

    @Override
    public String name() {
        return "rogue";
    }

    @Override
    public String resource(int number) {
        return "seat:" + number;
    }

    @Override
    public void perform(Task task) {
        RowId row = new RowId("seat", String.valueOf(task.number()));
        long amount = task.amount();
        task.tools().jdbi().useHandle(handle -> {
            task.begin(handle);
            task.intend(row, Intent.ANY, amount);
            Task.add(handle, row, amount).execute();
        });
    }
}
