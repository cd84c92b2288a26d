package io.github.fencedwrite.examples.chaos.worker;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.FencedWriteException;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.LeaseRequest;
import io.github.fencedwrite.LockNotAcquiredException;
import io.github.fencedwrite.examples.chaos.history.Told;
import io.github.fencedwrite.jdbi.UnknownOutcomeException;
import java.time.Duration;
import java.util.Random;
import java.util.function.BooleanSupplier;

/** The work of one thread: one operation after the other, each of a random kind under a lease of its own. */
final class Shift {

    private static final Duration WAIT_AT_MOST = Duration.ofSeconds(3);
    private static final int RENEWING_OF_TEN = 3;

    private final String name;
    private final FencedLocks locks;
    private final Tools tools;
    private final Pace pace;
    private final Random random;
    private int operations;

    Shift(String name, FencedLocks locks, Tools tools, Pace pace, long seed) {
        this.name = name;
        this.locks = locks;
        this.tools = tools;
        this.pace = pace;
        this.random = new Random(seed);
    }

    void work(BooleanSupplier ends) {
        while (!ends.getAsBoolean()) {
            Workload workload = Workload.ALL.get(random.nextInt(Workload.ALL.size()));
            int number = random.nextInt(Workload.ROWS);
            String operation = name + "-" + ++operations;
            long begun = System.nanoTime();
            try (Lease lease = locks.acquire(request(workload.resource(number)), WAIT_AT_MOST)) {
                tools.journal().acquired(operation, lease, begun, System.nanoTime());
                perform(workload, new Task(operation, number, lease, tools, pace, random));
            } catch (LockNotAcquiredException e) {
                tools.journal().noLock(e.resource(), e.reason().name());
            }
        }
    }

    private LeaseRequest request(String resource) {
        LeaseRequest request = LeaseRequest.of(resource, Worker.TTL);
        // a straggler would never be overtaken
        boolean renews = pace instanceof Strolling && random.nextInt(10) < RENEWING_OF_TEN;
        return renews ? request.renewFor(Worker.TTL.multipliedBy(4)) : request;
    }

    private void perform(Workload workload, Task task) {
        Told told;
        String detail;
        try {
            workload.perform(task);
            told = Told.ACKNOWLEDGED;
            detail = workload.name();
        } catch (UnknownOutcomeException e) {
            told = Told.UNKNOWN;
            detail = e.getClass().getSimpleName();
        } catch (FencedWriteException e) {
            told = Told.REFUSED;
            detail = e.getClass().getSimpleName();
        } catch (RuntimeException e) {
            // nothing of ours: no connection was to be had, or a plain statement failed
            told = Told.UNKNOWN;
            detail = Failures.name(e);
        }
        tools.journal().told(task.operation(), told, detail);
        pace.ended();
    }
}
