package io.github.fencedwrite.examples.chaos.worker;

import java.util.List;

/** Level 2 on two rows in one transaction: moves an amount from one account of a bank to another. */
final class Transfer implements Workload {

    private static final String TABLE = "account";

    @Override
    public String name() {
        return "transfer";
    }

    @Override
    public String resource(int number) {
        return "bank:" + number;
    }

    @Override
    public void perform(Task task) {
        int from = task.random().nextInt(ACCOUNTS);
        int to = (from + 1) % ACCOUNTS;
        long amount = task.amount();
        task.guards().inClaimingTransaction(task.tools().jdbi(), task.lease(), handle -> {
            task.begin(handle);
            List<Row> rows = task.guards()
                    .claimAll(
                            handle.createQuery("SELECT id, value, version FROM account"
                                            + " WHERE id = :from OR id = :to ORDER BY id")
                                    .bind("from", task.number() + "." + from)
                                    .bind("to", task.number() + "." + to),
                            task.lease())
                    .map(Row.of(TABLE))
                    .list();
            task.pace().think(rows.get(0).id(), rows.get(0).version());
            task.intend(rows.get(0), -amount);
            task.intend(rows.get(1), amount);
            task.guards().writeClaimed(Task.update(handle, rows.get(0), -amount), task.lease());
            task.guards().writeClaimed(Task.update(handle, rows.get(1), amount), task.lease());
        });
    }
}
