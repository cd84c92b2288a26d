package io.github.fencedwrite.examples.inventory.story;

import io.github.fencedwrite.examples.inventory.local.LocalNode;
import io.github.fencedwrite.examples.inventory.stock.StockKey;
import io.github.fencedwrite.examples.inventory.worker.WorkerGroup;
import io.github.fencedwrite.examples.inventory.worker.WorkerProcess;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;

/**
 * What stories are played with.
 *
 * @param workers at least {@link #A} and {@link #B}
 * @param nodes the lock nodes; empty where they cannot be broken
 * @param newStock stocks an article that nobody has sold yet
 * @param narrator gets who and what
 */
public record Scene(
        WorkerGroup workers,
        List<LocalNode> nodes,
        IntFunction<StockKey> newStock,
        BiConsumer<String, String> narrator) {

    /** The holder that comes first. */
    public static final String A = "A";

    /** The holder that comes second. */
    public static final String B = "B";

    void tell(String who, String what) {
        narrator.accept(who, what);
    }

    void pause(String name) {
        WorkerProcess worker = workers.get(name);
        worker.pause();
        tell(name, "is stopped (SIGSTOP to process " + worker.pid() + ")");
    }

    void resume(String name) {
        tell(name, "goes on (SIGCONT)");
        workers.get(name).resume();
    }
}
