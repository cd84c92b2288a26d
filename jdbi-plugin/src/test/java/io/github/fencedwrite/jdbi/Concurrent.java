package io.github.fencedwrite.jdbi;

import static org.awaitility.Awaitility.await;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Jdbi;

/** Work on another thread that is expected to wait for a lock of the database. */
final class Concurrent<R> {

    private final FutureTask<R> task;

    private Concurrent(Callable<R> work) {
        task = new FutureTask<>(work);
        Thread thread = new Thread(task, "concurrent");
        thread.setDaemon(true);
        thread.start();
    }

    static <R> Concurrent<R> start(Callable<R> work) {
        return new Concurrent<>(work);
    }

    /** Waits until a statement of this database waits for a lock. */
    void awaitLock(Jdbi jdbi) {
        await().atMost(30, TimeUnit.SECONDS)
                .until(() -> jdbi.withHandle(handle -> handle.createQuery("SELECT count(*) FROM pg_stat_activity"
                                        + " WHERE datname = current_database() AND wait_event_type = 'Lock'")
                                .mapTo(Integer.class)
                                .one())
                        > 0);
    }

    R join() throws Exception {
        return task.get(30, TimeUnit.SECONDS);
    }
}
