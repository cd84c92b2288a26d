package io.github.fencedwrite.examples.chaos.worker;

import io.github.fencedwrite.examples.chaos.history.Intent;
import io.github.fencedwrite.examples.chaos.history.RowId;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * Level 3, and 4 on strict tables: inserts a reservation and takes its quantity out of the stock, or deletes one and puts it
 * back, in a transaction of plain statements. On the strict tables others write the stock without the fence row, so that it
 * has to be claimed (one table, one regime).
 */
final class Reserve implements Workload {

    private static final int SLOTS = 3;

    private final String stock;
    private final String reservations;
    private final boolean strict;

    Reserve(String stock, String reservations, boolean strict) {
        this.stock = stock;
        this.reservations = reservations;
        this.strict = strict;
    }

    @Override
    public String name() {
        return "reserve " + stock;
    }

    @Override
    public String resource(int number) {
        return stock + ":" + number;
    }

    @Override
    public void perform(Task task) {
        RowId slot = new RowId(reservations, task.number() + "." + task.random().nextInt(SLOTS));
        long quantity = task.amount();
        Jdbi jdbi = strict ? task.tools().announcing() : task.tools().jdbi();
        task.guards().inTransaction(jdbi, task.lease(), handle -> {
            task.begin(handle);
            Row inStock = read(handle, task);
            Optional<Row> reserved =
                    Task.select(handle, slot).map(Row.of(reservations)).findOne();
            task.pace().think(inStock.id(), inStock.version());
            if (reserved.isPresent()) {
                cancel(handle, task, inStock, reserved.get());
            } else {
                reserve(handle, task, inStock, slot, quantity);
            }
        });
    }

    private Row read(Handle handle, Task task) {
        var select = Task.select(handle, new RowId(stock, String.valueOf(task.number())));
        return (strict ? task.guards().claim(select, task.lease()) : select)
                .map(Row.of(stock))
                .one();
    }

    private void reserve(Handle handle, Task task, Row inStock, RowId slot, long quantity) {
        task.intend(slot, Intent.ABSENT, quantity);
        task.intend(inStock, -quantity);
        handle.execute("INSERT INTO " + reservations + " (id, value) VALUES (?, ?)", slot.id(), quantity);
        write(handle, task, inStock, -quantity);
    }

    private void cancel(Handle handle, Task task, Row inStock, Row reserved) {
        task.intend(reserved, -reserved.value());
        task.intend(inStock, reserved.value());
        handle.execute(
                "DELETE FROM " + reservations + " WHERE id = ?", reserved.id().id());
        write(handle, task, inStock, reserved.value());
    }

    private void write(Handle handle, Task task, Row inStock, long delta) {
        if (strict) {
            task.guards().writeClaimed(Task.update(handle, inStock, delta), task.lease());
        } else {
            Task.update(handle, inStock, delta).execute();
        }
    }
}
