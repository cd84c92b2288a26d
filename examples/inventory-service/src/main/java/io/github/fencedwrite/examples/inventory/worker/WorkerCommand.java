package io.github.fencedwrite.examples.inventory.worker;

import io.github.fencedwrite.examples.inventory.stock.StockKey;

/**
 * What a worker is told, one line of JSON each.
 *
 * @param action what to do; the rest is for {@link Action#SELL} only
 * @param thinkMillis how long it thinks between reading and writing; negative for until {@link Action#GO}
 */
public record WorkerCommand(Action action, String warehouse, String sku, int quantity, Guard guard, long thinkMillis) {

    /** What to do. */
    public enum Action {
        /** Acquire, read, think, write, release. */
        SELL,
        /** Stop thinking and write. */
        GO
    }

    /** A sale that thinks for a given time. */
    public static WorkerCommand sell(StockKey stock, int quantity, Guard guard, long thinkMillis) {
        return new WorkerCommand(Action.SELL, stock.warehouse(), stock.sku(), quantity, guard, thinkMillis);
    }

    /** A sale that thinks until it is told to go on. */
    public static WorkerCommand sellAfterGo(StockKey stock, int quantity, Guard guard) {
        return sell(stock, quantity, guard, -1);
    }

    /** Ends the thinking. */
    public static WorkerCommand go() {
        return new WorkerCommand(Action.GO, "", "", 0, Guard.NONE, 0);
    }
}
