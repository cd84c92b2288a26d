package io.github.fencedwrite.internal.lease;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One daemon thread for the application's code, so that it runs neither in a step of the loop nor under any lock. Started
 * when needed, ends when idle; if it cannot be started, the tasks wait for the next one. Safe for use by many threads.
 */
final class CallbackThread implements Executor {

    private static final Logger log = LoggerFactory.getLogger(CallbackThread.class);
    private static final long IDLE = TimeUnit.SECONDS.toNanos(10);

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private @Nullable Thread thread;

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        Thread running;
        synchronized (this) {
            running = thread;
            if (running == null) {
                start();
                return;
            }
        }
        LockSupport.unpark(running);
    }

    private void start() {
        Thread next = new Thread(this::run, "fenced-write-callback");
        next.setDaemon(true);
        try {
            next.start();
            thread = next;
        } catch (OutOfMemoryError e) {
            log.error("The thread for callbacks could not be started; they wait", e);
        }
    }

    private void run() {
        long idleSince = System.nanoTime();
        while (true) {
            Runnable task = tasks.poll();
            if (task != null) {
                run(task);
                idleSince = System.nanoTime();
                continue;
            }
            long left = idleSince + IDLE - System.nanoTime();
            if (left > 0) {
                LockSupport.parkNanos(this, left);
                // an interrupt of the application's making ends here
                var unused = Thread.interrupted();
                continue;
            }
            synchronized (this) {
                if (tasks.isEmpty()) {
                    thread = null;
                    return;
                }
            }
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            log.error("A callback failed", e);
        }
    }
}
