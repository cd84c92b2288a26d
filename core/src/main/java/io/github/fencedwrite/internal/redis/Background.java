package io.github.fencedwrite.internal.redis;

import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All threads of a client: one that keeps the time and never blocks, and a few that do what may block. Daemons, started
 * when first needed; the workers end when idle. Safe for use by many threads.
 */
public final class Background implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Background.class);
    private static final int WORKERS = 3;
    private static final int CONNECTORS = 3;
    private static final long IDLE_SECONDS = 10;

    private final ScheduledThreadPoolExecutor timer;
    private final ThreadPoolExecutor workers;
    private final ThreadPoolExecutor connectors;
    private final ThreadPoolExecutor callbacks;

    public Background() {
        timer = new ScheduledThreadPoolExecutor(1, threads("fenced-write-timer"), (task, pool) -> {});
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        timer.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
        timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        workers = pool(WORKERS, "fenced-write-worker");
        connectors = pool(CONNECTORS, "fenced-write-connector");
        callbacks = pool(1, "fenced-write-callback");
    }

    private static ThreadPoolExecutor pool(int size, String name) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                size,
                size,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                threads(name),
                (task, closed) -> {});
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Runs {@code task} soon on a worker; after {@link #close} it is dropped. */
    public void run(Runnable task) {
        workers.execute(guarded(task));
    }

    /**
     * Opens a connection after a delay, on threads of their own: a name service that does not answer must not keep the
     * workers from extending leases. After {@link #close} it is dropped.
     */
    public void connectAfter(long delayNanos, Runnable task) {
        var unused = later(delayNanos, () -> connectors.execute(guarded(task)));
    }

    /** Runs {@code task} on a worker after a delay; after {@link #close} it is dropped. */
    public void runAfter(long delayNanos, Runnable task) {
        var unused = later(delayNanos, () -> run(task));
    }

    /** Runs {@code task}, which must not block, on the timer's own thread after a delay. */
    public Future<?> later(long delayNanos, Runnable task) {
        return timer.schedule(guarded(task), Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
    }

    /** One thread for the application's callbacks, so that a slow one holds up nothing but other callbacks. */
    public Executor callbacks() {
        return callbacks;
    }

    /** Runs {@code task} on a daemon thread of its own. */
    public void thread(String name, Runnable task) {
        Thread thread = new Thread(guarded(task), name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Whether {@link #close} was called. */
    public boolean isClosed() {
        return timer.isShutdown();
    }

    /** Drops what is waiting; what is running ends by itself within the nodes' timeout. */
    @Override
    public void close() {
        timer.shutdownNow();
        workers.shutdown();
        workers.getQueue().clear();
        connectors.shutdown();
        connectors.getQueue().clear();
        callbacks.shutdown();
    }

    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                log.warn("A background task failed; this is a defect of the library", e);
            }
        };
    }

    private static ThreadFactory threads(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
