package io.github.fencedwrite.examples.inventory.worker;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.LeaseListener;
import io.github.fencedwrite.ReleaseResult;
import io.github.fencedwrite.examples.inventory.stock.Stock;
import io.github.fencedwrite.examples.inventory.worker.WorkerEvent.Kind;
import io.github.fencedwrite.jdbi.StaleTokenException;
import java.time.Duration;
import java.util.function.Consumer;

/** Makes events of what a worker does; one sale at a time. */
final class WorkerTells implements LeaseListener {

    private final String worker;
    private final Consumer<WorkerEvent> listener;
    private volatile WorkerCommand sale = WorkerCommand.go();
    private volatile long token;
    private volatile int stock;

    WorkerTells(String worker, Consumer<WorkerEvent> listener) {
        this.worker = worker;
        this.listener = listener;
    }

    void begin(WorkerCommand command) {
        sale = command;
        token = 0;
        stock = 0;
        tell(Kind.ASKING, "asks for the lock");
    }

    @Override
    public void acquired(Lease lease, Duration took, boolean fast) {
        token = lease.token().value();
        send(
                Kind.ACQUIRED,
                0,
                lease.remaining().toMillis(),
                "takes the lock \"" + lease.resource() + "\", token " + token);
    }

    @Override
    public void released(Lease lease, ReleaseResult result) {
        tell(Kind.RELEASED, "releases: " + result);
    }

    void read(Stock row) {
        stock = row.available();
        tell(Kind.READ, "reads stock " + stock + " and wants to sell " + sale.quantity());
    }

    void accepted() {
        int left = stock - sale.quantity();
        stock = left;
        tell(Kind.ACCEPTED, "writes stock " + stock + "; the database says: UPDATE 1");
    }

    void refused(StaleTokenException e) {
        send(Kind.REFUSED, e.stored().orElse(0), 0, "is refused; " + e.getMessage());
    }

    void tell(Kind kind, String text) {
        send(kind, 0, 0, text);
    }

    private void send(Kind kind, long stored, long validMillis, String text) {
        WorkerCommand current = sale;
        listener.accept(new WorkerEvent(
                System.currentTimeMillis(),
                worker,
                kind,
                current.sku(),
                current.guard(),
                token,
                stored,
                validMillis,
                stock,
                current.quantity(),
                text));
    }
}
