package io.github.fencedwrite.internal.loop;

import org.jspecify.annotations.Nullable;

/** A thread that waits for a result. Made by that thread, settled once in a step. */
public final class Waiter<T> {

    final Thread thread = Thread.currentThread();
    private final Loop loop;
    private volatile @Nullable T result;

    public Waiter(Loop loop) {
        this.loop = loop;
    }

    /** The result is known; later ones change nothing. In a step. */
    public void settle(T settled) {
        if (result == null) {
            result = settled;
            loop.settled(this);
        }
    }

    boolean isSettled() {
        return result != null;
    }

    /** The result, or null as long as there is none. */
    public @Nullable T result() {
        return result;
    }
}
