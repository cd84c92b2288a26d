package io.github.fencedwrite.examples.inventory.story;

import io.github.fencedwrite.examples.inventory.local.LocalNode;
import io.github.fencedwrite.examples.inventory.stock.StockKey;
import io.github.fencedwrite.examples.inventory.worker.WorkerGroup;
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
 * @param beat runs between two steps, so that people can follow; no step depends on it
 */
public record Scene(
        WorkerGroup workers,
        List<LocalNode> nodes,
        IntFunction<StockKey> newStock,
        BiConsumer<String, String> narrator,
        Runnable beat) {

    /** The holder that comes first. */
    public static final String A = "A";

    /** The holder that comes second. */
    public static final String B = "B";

    void tell(String who, String what) {
        narrator.accept(who, what);
    }
}
