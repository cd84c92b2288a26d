package io.github.fencedwrite.examples.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Several threads that work at the same time. Used by one thread. */
final class Crowd implements AutoCloseable {

    private final int size;
    private final ExecutorService threads;

    Crowd(int size) {
        this.size = size;
        this.threads = Executors.newFixedThreadPool(size);
    }

    /** What the thread of that number, from 0, does again and again. */
    @FunctionalInterface
    interface Work {

        void run(int thread) throws Exception;
    }

    /** Lets all threads work until the slice is over; how often they did in all. */
    long work(Duration slice, Work work) throws Exception {
        long end = System.nanoTime() + slice.toNanos();
        List<Callable<Long>> tasks = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            int thread = i;
            tasks.add(() -> {
                long done = 0;
                do {
                    work.run(thread);
                    done++;
                } while (System.nanoTime() - end < 0);
                return done;
            });
        }
        long done = 0;
        for (Future<Long> each : threads.invokeAll(tasks)) {
            try {
                done += each.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("A thread failed", e.getCause());
            }
        }
        return done;
    }

    @Override
    public void close() throws InterruptedException {
        threads.shutdownNow();
        threads.awaitTermination(10, TimeUnit.SECONDS);
    }
}
