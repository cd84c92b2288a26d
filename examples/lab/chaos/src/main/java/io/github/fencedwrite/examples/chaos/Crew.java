package io.github.fencedwrite.examples.chaos;

import io.github.fencedwrite.examples.chaos.worker.WorkerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** All workers of a run. */
final class Crew implements AutoCloseable {

    private final List<WorkerProcess> workers = new ArrayList<>();
    private final Semaphore overtaken = new Semaphore(0);

    Crew(Options options, boolean guarded, Arena arena, Path journals) {
        for (int i = 0; i < options.workers(); i++) {
            String worker = "worker-" + i;
            long seed = options.seed() * options.workers() + i;
            workers.add(new WorkerProcess(
                    start -> new WorkerSettings(
                            worker + "." + start,
                            guarded,
                            seed + start * 1_000L,
                            arena.nodes(),
                            arena.database().jdbcUrl(),
                            arena.database().user(),
                            arena.database().password(),
                            journals.resolve(worker + "." + start)),
                    overtaken::release));
        }
    }

    List<WorkerProcess> workers() {
        return workers;
    }

    void awaitReady() throws InterruptedException {
        for (WorkerProcess worker : workers) {
            worker.awaitFirstReady();
        }
    }

    /** Waits until somebody has written between a straggler's reading and its writing, so many times since the start. */
    void awaitOvertaken(int times, Duration atMost) throws InterruptedException {
        if (!overtaken.tryAcquire(times, atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("In " + atMost + " no straggler was overtaken: is anybody working?");
        }
    }

    /** Lets all come to an end. */
    void end() throws InterruptedException {
        workers.forEach(WorkerProcess::end);
        for (WorkerProcess worker : workers) {
            worker.awaitEnd();
        }
    }

    @Override
    public void close() {
        workers.forEach(WorkerProcess::close);
    }
}
