package io.github.fencedwrite.examples.chaos.worker;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.examples.chaos.history.Intent;
import io.github.fencedwrite.examples.chaos.history.RowId;
import java.util.Random;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.Update;

/**
 * One operation under one lease.
 *
 * @param operation unique over all workers
 * @param number which of the workload's resources
 */
record Task(String operation, int number, Lease lease, Tools tools, Pace pace, Random random) {

    Guards guards() {
        return tools.guards();
    }

    /** Begins the work, perhaps again, on a connection: the trigger shall know who writes there. */
    void begin(Handle handle) {
        tools.journal().attempt(operation);
        handle.select("SELECT set_config('chaos.operation', ?, false)", operation)
                .mapTo(String.class)
                .one();
    }

    void intend(RowId row, long readVersion, long delta) {
        tools.journal().intent(operation, new Intent(row, readVersion, delta));
    }

    void intend(Row row, long delta) {
        intend(row.id(), row.version(), delta);
    }

    /** An amount that is not zero. */
    long amount() {
        return 1 + random.nextInt(9);
    }

    static Query select(Handle handle, RowId row) {
        return handle.createQuery("SELECT id, value, version FROM " + row.table() + " WHERE id = :id")
                .bind("id", row.id());
    }

    /** Writes what was read, changed. */
    static Update update(Handle handle, Row row, long delta) {
        return handle.createUpdate(
                        "UPDATE " + row.id().table() + " SET value = :value, version = :version WHERE id = :id")
                .bind("value", row.value() + delta)
                .bind("version", row.version() + 1)
                .bind("id", row.id().id());
    }

    /** Adds to what is there, whatever it is. */
    static Update add(Handle handle, RowId row, long delta) {
        return handle.createUpdate(
                        "UPDATE " + row.table() + " SET value = value + :delta, version = version + 1 WHERE id = :id")
                .bind("delta", delta)
                .bind("id", row.id());
    }
}
