package io.github.fencedwrite.examples.chaos.worker;

import io.github.fencedwrite.examples.chaos.history.Intent;
import io.github.fencedwrite.examples.chaos.history.RowId;

/** Level 1: adds to a counter without reading it. */
final class Increment implements Workload {

    @Override
    public String name() {
        return "increment";
    }

    @Override
    public String resource(int number) {
        return "counter:" + number;
    }

    @Override
    public void perform(Task task) {
        RowId row = new RowId("counter", String.valueOf(task.number()));
        long amount = task.amount();
        task.pace()
                .think(
                        row,
                        task.tools()
                                .jdbi()
                                .withHandle(handle -> Task.select(handle, row)
                                        .map(Row.of("counter"))
                                        .one()
                                        .version()));
        task.guards().writeBlindly(task.tools().jdbi(), task.lease(), handle -> {
            task.begin(handle);
            task.intend(row, Intent.ANY, amount);
            return Task.add(handle, row, amount);
        });
    }
}
