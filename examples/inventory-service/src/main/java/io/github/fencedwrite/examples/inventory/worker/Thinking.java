package io.github.fencedwrite.examples.inventory.worker;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** What a worker does between reading and writing: it waits for a time, or for a word. Thread safe. */
final class Thinking {

    private final Semaphore go = new Semaphore(0);
    private volatile long millis;

    /** Sets how long; negative for until {@link #go()}. */
    void prepare(long newMillis) {
        go.drainPermits();
        millis = newMillis;
    }

    void think() {
        try {
            if (millis < 0) {
                go.acquire();
            } else {
                go.tryAcquire(millis, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void go() {
        go.release();
    }
}
